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
  if (usualTokens.has(connection)) return [];
  return connection
    .split(",")
    .map((token) => token.trim().toLowerCase())
    .filter((token) => token !== "" && !protectedFromConnection.has(token));
}
