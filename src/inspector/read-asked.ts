import type { IncomingMessage } from "node:http";
import { readAddress } from "../addresses/read-address.ts";
import type { ExplainableRequest } from "../explain/explanation.ts";
import { readJson } from "./read-json.ts";

/** What the page asks about, or why it cannot be read. */
type Asked = Readonly<{ request: ExplainableRequest }> | Readonly<{ fault: string }>;

/** Reads a request to be explained from the body of another. */
export async function readAsked(req: IncomingMessage): Promise<Asked> {
  const body = await readJson(req);
  return "fault" in body ? body : checkAsked(body.value);
}

const token = /^[!#$%&'*+.^_`|~\w-]+$/;
const visible = /^[!-~]+$/;

function checkAsked(value: unknown): Asked {
  const {
    method,
    path,
    host,
    address,
    headers = [],
  } = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  if (typeof method !== "string" || !token.test(method)) return { fault: "The method is no word that HTTP allows." };
  if (typeof path !== "string" || !visible.test(path))
    return { fault: "The path is empty, or holds characters that are not sent." };
  if (host !== undefined && typeof host !== "string") return { fault: "The host is no text." };
  if (address !== undefined && (typeof address !== "string" || readAddress(address) === undefined))
    return { fault: "The address is none, such as 10.1.2.3 or 2001:db8::1." };
  if (!Array.isArray(headers)) return { fault: "The headers are no list." };
  const named: Record<string, string[]> = Object.create(null) as Record<string, string[]>;
  for (const header of headers as unknown[]) {
    const [name, text] = Array.isArray(header) ? (header as unknown[]) : [];
    if (typeof name !== "string" || !token.test(name))
      return { fault: `${JSON.stringify(name)} is no name of a header.` };
    if (typeof text !== "string" || /[\0\r\n]/.test(text))
      return { fault: `The header ${JSON.stringify(name)} has no value that can be sent.` };
    (named[name.toLowerCase()] ??= []).push(text);
  }
  return { request: { method, path, host, address, headers: named } };
}
