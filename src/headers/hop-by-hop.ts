import { isPlainlyAmong } from "./header-aliases.ts";

/** Headers that speak of one connection only; they are never passed on, either way. */
export const hopByHopHeaders: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "http2-settings",
  "expect",
]);

/** Headers that a `Connection` header cannot take away: without them framing, routing or identity would change. */
const protectedFromConnection: ReadonlySet<string> = new Set([
  "content-length",
  "host",
  "content-type",
  "authorization",
  "cookie",
]);

const usualTokens: ReadonlySet<string> = new Set(["keep-alive", "close", ""]);

/** The headers that a `Connection` header names, besides those that are hop-by-hop anyway. */
export function namedByConnection(connection: string): string[] {
  const tokens = connection.toLowerCase();
  if (usualTokens.has(tokens)) return [];
  return tokens
    .split(",")
    .map((token) => token.trim())
    .filter((token) => token !== "" && !protectedFromConnection.has(token));
}

/** Whether a header, by its name in lower case, goes with the connection: it is named there, however it is spelt itself. */
export function goesWithConnection(name: string, named: ReadonlySet<string>): boolean {
  return named.size > 0 && isPlainlyAmong(name, named);
}
