import { emptyHeaders } from "./headers-without-prototype.ts";
import type { Headers } from "../delegating-handler.ts";
import { isChunked } from "../bodies/request-framing.ts";
import { lowerCaseOf } from "./lower-case-of.ts";
import { hopByHopHeaders, namedByConnection } from "./hop-by-hop.ts";

/**
 * What an answer says to all who get it is never for the next recipient alone (RFC 9110, 7.6.1): named in `Connection`, it
 * would be gone before anybody could see that the answer is for one client.
 */
const forAllRecipients: ReadonlySet<string> = new Set([
  ...["cache-control", "pragma", "expires", "vary", "set-cookie", "set-cookie2"],
]);

/** The upstream's headers that are for the client: no hop-by-hop, lower-case names, repeats kept apart. */
export function readAnswerHeaders(rawHeaders: readonly string[]): Headers {
  const headers = emptyHeaders();
  const named: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = lowerCaseOf(rawHeaders[index]!);
    const value = rawHeaders[index + 1]!;
    if (name === "connection") named.push(...namedByConnection(value));
    if (hopByHopHeaders.has(name)) continue;
    const present = headers[name];
    if (present === undefined) headers[name] = value;
    else headers[name] = Array.isArray(present) ? [...present, value] : [present, value];
  }
  for (const name of named) if (!forAllRecipients.has(name)) delete headers[name];
  return headers;
}

/** What an upstream's `Transfer-Encoding` says, in one header or several, if it is anything else than `chunked`. */
export function findForeignCoding(rawHeaders: readonly string[]): string | undefined {
  let codings: string | undefined;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length !== codingName.length || name.toLowerCase() !== codingName) continue;
    codings = codings === undefined ? rawHeaders[index + 1]! : `${codings}, ${rawHeaders[index + 1]!}`;
  }
  return codings === undefined || isChunked(codings) ? undefined : codings;
}

const codingName = "transfer-encoding";
