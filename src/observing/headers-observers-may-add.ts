import { validateHeaderName, validateHeaderValue } from "node:http";
import type { Headers, OutgoingRequest } from "../delegating-handler.ts";
import { givenHeaders } from "../headers/given-headers.ts";
import { dropAliases, type HeaderSources, holdOddSpelling } from "../headers/header-aliases.ts";
import { hopByHopHeaders } from "../headers/hop-by-hop.ts";

/** What of an exchange tells the client's headers from those that middleware, a handler or the gateway has set. */
export type OfferingExchange = Omit<HeaderSources, "compared"> &
  Readonly<{ compiled: Readonly<{ compared: () => HeaderSources["compared"] }> }>;

/** Calls code of an observer; what fails there is logged, and harms no request. */
type Try = (run: () => void) => void;

/**
 * Shows observers a request that is ready to be sent. They get a copy, and only headers are taken from it: where the
 * request goes was judged before, and how it is framed is the gateway's alone.
 */
export function offerHeaders(
  outgoing: OutgoingRequest,
  { compiled, given, dropped }: OfferingExchange,
  { tell, tryTo }: Readonly<{ tell: (offered: OutgoingRequest) => void; tryTo: Try }>,
): void {
  const { method, origin, path, body, headers } = outgoing;
  const offered = { method, origin, path, body, headers: Object.assign(Object.create(null), headers) as Headers };
  tell(offered);
  // An observer may have put anything into it; headers that cannot even be read change nothing.
  let left = headers;
  tryTo(() => (left = { ...givenHeaders(offered.headers) }));
  const changed: string[] = [];
  for (const name in headers) if (!Object.hasOwn(left, name) && mayChange(name)) delete headers[name];
  for (const key in left) {
    if (headers[key] !== left[key])
      tryTo(() => {
        if (take(key, left[key]!, headers)) changed.push(key);
      });
  }
  if (changed.length > 0 && holdOddSpelling(headers))
    dropAliases(headers, { given, dropped, compared: compiled.compared() });
}

function take(key: string, value: string | string[], headers: Headers): boolean {
  const name = key.toLowerCase();
  if (!mayChange(name)) return false;
  validateHeaderName(name);
  for (const one of [value].flat()) validateHeaderValue(name, one);
  headers[name] = value;
  return true;
}

function mayChange(name: string): boolean {
  return name !== "content-length" && !hopByHopHeaders.has(name);
}
