import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";

/** The headers of a request before the match and after it. */
type HeaderStates = Readonly<{ given: IncomingHttpHeaders; cleaned: IncomingHttpHeaders }>;

/** Gives a request that leaves the gateway the headers it came with; what middleware has changed since stays changed. */
export function restoreHeaders(req: IncomingMessage, { given, cleaned }: HeaderStates): void {
  const { headers } = req;
  for (const name in headers) if (headers[name] !== cleaned[name]) given[name] = headers[name];
  for (const name in cleaned) if (!(name in headers)) Reflect.deleteProperty(given, name);
  req.headers = given;
}

/** Lets `headersDistinct`, which Node reads from the wire, agree with `headers`; undefined where nothing was to be done. */
export function trimDistinct(
  req: IncomingMessage,
  dropped: readonly string[] | undefined,
): IncomingMessage["headersDistinct"] | undefined {
  if (dropped === undefined) return undefined;
  const found = req.headersDistinct;
  const trimmed = Object.assign(Object.create(null), found) as IncomingMessage["headersDistinct"];
  for (const name of dropped) Reflect.deleteProperty(trimmed, name);
  req.headersDistinct = trimmed;
  return found;
}

/** What a step has set on a response. */
export type SetHeaders = Readonly<{ before: OutgoingHttpHeaders; after: OutgoingHttpHeaders }>;

/** Takes from a response what was set on it, unless other code has set another value since. */
export function takeBackHeaders(res: ServerResponse, { before, after }: SetHeaders): void {
  if (res.headersSent) return;
  for (const [name, value] of Object.entries(after)) {
    const earlier = before[name];
    if (value === earlier || res.getHeader(name) !== value) continue;
    if (earlier === undefined) res.removeHeader(name);
    else res.setHeader(name, earlier);
  }
}
