import { allowsAnyService } from "./dynamic-routes.ts";
import { type GatewayConfig, globalConfigOf } from "./gateway-config.ts";
import { findDemands } from "./lint/demands-on-clients.ts";
import type { GlobalConfig, RouteConfig } from "./sections.ts";

/** Routes that are asked together, as the parts of an aggregate are, and what holds for all routes. */
type Guarded = Readonly<{ routes: readonly RouteConfig[]; global: GlobalConfig }>;

/** The names of the locks that open with a change: what was demanded of clients before it, and is not behind it. */
export function openedLocks(before: Guarded, after: Guarded): readonly string[] {
  const demanded = new Set(demandsOf(after));
  return [...new Set(demandsOf(before))].filter((demand) => !demanded.has(demand));
}

function demandsOf({ routes, global }: Guarded): readonly string[] {
  return routes.flatMap((route) => findDemands(route, global));
}

/** Whether clients reach every service of a registry. */
export function opensServices(config: GatewayConfig): boolean {
  return allowsAnyService(config.routes, globalConfigOf(config)!);
}
