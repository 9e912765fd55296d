import { hopByHopHeaders } from "./hop-by-hop.ts";

// Framing, routing and cookies cannot come after the body.
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
]);

/** The trailers that a client who asked for them gets. */
export function readAnswerTrailers(rawTrailers: readonly string[]): [string, string][] {
  const trailers: [string, string][] = [];
  for (let index = 0; index + 1 < rawTrailers.length; index += 2) {
    const name = rawTrailers[index]!;
    if (!notTrailers.has(name.toLowerCase())) trailers.push([name, rawTrailers[index + 1]!]);
  }
  return trailers;
}
