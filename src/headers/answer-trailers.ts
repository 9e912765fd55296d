import type { IncomingHttpHeaders } from "node:http";
import { hopByHopHeaders, namedByConnection } from "./hop-by-hop.ts";

/** Whether a client asks for trailers. */
export function wantsTrailers({ te }: IncomingHttpHeaders): boolean {
  return te !== undefined && /\btrailers\b/i.test(String(te));
}

// Framing, routing and cookies cannot come after the body; nor can what is needed before it is taken (RFC 9110, 6.5.1):
// who may have it, how long it holds. Node writes a Date of its own, which does not show among the headers of the head.
const notTrailers: ReadonlySet<string> = new Set([
  ...hopByHopHeaders,
  "content-length",
  "content-encoding",
  "content-type",
  "content-range",
  "host",
  "authorization",
  "set-cookie",
  "cookie",
  "location",
  "www-authenticate",
  "age",
  "cache-control",
  "date",
  "expires",
  "retry-after",
  "vary",
  "warning",
]);

/**
 * The trailers that a client who asked for them gets. Clients put them beside the headers: one of a name that the head has
 * would count as what the gateway has set.
 */
export function readAnswerTrailers(
  rawTrailers: readonly string[],
  isInHead: (name: string) => boolean,
): [string, string][] {
  const trailers: [string, string][] = [];
  const named = namedBy(rawTrailers);
  for (let index = 0; index + 1 < rawTrailers.length; index += 2) {
    const name = rawTrailers[index]!;
    const lowerCase = name.toLowerCase();
    if (notTrailers.has(lowerCase) || named.includes(lowerCase) || isInHead(name)) continue;
    trailers.push([name, rawTrailers[index + 1]!]);
  }
  return trailers;
}

function namedBy(rawTrailers: readonly string[]): readonly string[] {
  const named: string[] = [];
  for (let index = 0; index + 1 < rawTrailers.length; index += 2) {
    if (rawTrailers[index]!.toLowerCase() === "connection") named.push(...namedByConnection(rawTrailers[index + 1]!));
  }
  return named;
}
