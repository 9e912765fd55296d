import type { GlobalConfig, RouteConfig } from "../../config/sections.ts";
import { effectiveSection } from "../../schema/effective-section.ts";

/** How far redirects of a route's hosts are followed. */
export type RedirectTerms = Readonly<{ most: number }>;

/** How the gateway behaves as a client of a route's hosts. */
type HttpHandler = Readonly<{
  /** Undefined where redirects are the client's. */
  redirects: RedirectTerms | undefined;
  /** How many connections each host may have for the route at the same time; undefined for any number. */
  mostConnections: number | undefined;
  /** Milliseconds after which a connection is not used again; undefined for any time. */
  lifetime: number | undefined;
}>;

/** How the gateway behaves as a client of one route: what the route says, over what is said for all. */
export function effectiveHandler(
  { Key: key, HttpHandlerOptions: own }: Readonly<Pick<RouteConfig, "Key" | "HttpHandlerOptions">>,
  { HttpHandlerOptions: shared }: Readonly<Pick<GlobalConfig, "HttpHandlerOptions">>,
): HttpHandler {
  const options = effectiveSection(own, shared, key);
  const { AllowAutoRedirect: followsRedirects = false, MaxConnectionsPerServer: most = 0 } = options ?? {};
  const seconds = options?.PooledConnectionLifetimeSeconds;
  return {
    redirects: followsRedirects ? { most: mostRedirects } : undefined,
    mostConnections: most > 0 && most < unbounded ? most : undefined,
    lifetime: seconds === undefined ? undefined : seconds * 1_000,
  };
}

const mostRedirects = 50;

// What .NET has for any number, and tools write out.
const unbounded = 2_147_483_647;
