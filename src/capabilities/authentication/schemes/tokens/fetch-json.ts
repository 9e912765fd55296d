import { Readable } from "node:stream";
import { gatherUpTo } from "../../../../bodies/gather-up-to.ts";
import { parseConfidential } from "../../../../json/parse-confidential.ts";
import { isConfidential } from "../../../../urls/is-confidential.ts";

/** What is asked besides a GET, and how long an answer may be. */
type JsonRequest = Readonly<{
  mostBytes: number;
  method?: "POST";
  headers?: Readonly<Record<string, string>>;
  body?: URLSearchParams;
  /** Reads the answer instead of `JSON.parse`. */
  parse?: (text: string) => unknown;
}>;

const longestWait = 5_000;

/** Fetches a JSON document: over TLS unless it comes from this machine, without redirects, of bounded length. */
export async function fetchJson(url: string, { mostBytes, headers, parse, ...request }: JsonRequest): Promise<unknown> {
  const shown = showAddress(url);
  if (!isConfidential(new URL(url))) throw new Error(`${shown} is not asked: expected https.`);
  const answer = await fetch(url, {
    ...request,
    redirect: "error",
    headers: { accept: "application/json", ...headers },
    signal: AbortSignal.timeout(longestWait),
  });
  if (!answer.ok) {
    await answer.body?.cancel();
    throw new Error(`${shown} answered ${answer.status}.`);
  }
  return parseConfidential(await readText(answer, shown, mostBytes), parse);
}

/** An address as logs may hold it: a name and a password, or a parameter, may be a secret. */
export function showAddress(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

async function readText({ body }: Response, shown: string, mostBytes: number): Promise<string> {
  if (body === null) return "";
  const bytes = await gatherUpTo(Readable.fromWeb(body), { mostBytes });
  if (bytes === undefined) throw new Error(`${shown} answered more than ${mostBytes} bytes.`);
  return bytes.toString();
}
