import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { plainName } from "../headers/header-aliases.ts";
import type { ExplainableRequest } from "./explanation.ts";

/** What stands where only a real connection would tell. */
const clientAddressText = "<address of the client>";

/** The request as the gateway's own functions read one; there is no connection behind it. */
export function pretendRequest({
  method,
  path,
  host = "localhost",
  headers = {},
  address = clientAddressText,
}: ExplainableRequest): IncomingMessage {
  const parsed: IncomingHttpHeaders = { host };
  const rawHeaders = ["Host", host];
  for (const [name, given] of Object.entries(headers)) {
    const key = name.toLowerCase();
    if (key === "host") continue;
    const values = typeof given === "string" ? [given] : given;
    // As Node joins repeated ones.
    parsed[key] = values.join(key === "cookie" ? "; " : ", ");
    for (const value of values) rawHeaders.push(name, value);
  }
  const request = {
    method,
    url: path,
    headers: parsed,
    rawHeaders,
    httpVersion: "1.1",
    socket: { remoteAddress: address },
  };
  return request as unknown as IncomingMessage;
}

/** Takes from a pretended request the headers that some route sets from claims: no client can send them. */
export function dropClaimHeaders({ headers }: IncomingMessage, names: ReadonlySet<string> | undefined): void {
  if (names === undefined) return;
  for (const name of Object.keys(headers)) if (names.has(plainName(name))) Reflect.deleteProperty(headers, name);
}
