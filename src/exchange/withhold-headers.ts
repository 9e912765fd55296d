import { createIsClients, type HeadersOfRequest } from "../headers/set-by-client-or-here.ts";
import { isPlainlyAmong } from "../headers/header-aliases.ts";
import type { Exchange } from "./exchange.ts";
import { trimDistinct } from "./restore-headers.ts";

/**
 * Takes from a request the client's headers that some route sets from claims: behind the guards, which read the request as
 * it was sent, and before any middleware could take them for the gateway's word. What earlier middleware has set stays.
 */
export function withholdHeaders(exchange: Exchange, names: ReadonlySet<string> | undefined): Exchange {
  if (names === undefined) return exchange;
  const { req } = exchange.context;
  const withheld = findWithheld(req, names);
  if (withheld === undefined) return exchange;
  exchange.withheld = withheld;
  exchange.dropped = [...(exchange.dropped ?? []), ...withheld];
  req.headers = Object.fromEntries(Object.entries(req.headers).filter(([name]) => !withheld.includes(name)));
  const found = trimDistinct(req, withheld);
  exchange.foundDistinct ??= found;
  return exchange;
}

/** Undefined for most requests: they have no such header. */
function findWithheld(req: HeadersOfRequest, names: ReadonlySet<string>): readonly string[] | undefined {
  let found: string[] | undefined;
  for (const name in req.headers) if (isPlainlyAmong(name, names)) (found ??= []).push(name);
  const withheld = found?.filter(createIsClients(req));
  return withheld?.length === 0 ? undefined : withheld;
}
