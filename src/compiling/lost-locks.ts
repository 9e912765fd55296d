import { isDeepStrictEqual } from "node:util";
import { allowsAnyService } from "../config/dynamic-routes.ts";
import { type GatewayConfig, globalConfigOf } from "../config/gateway-config.ts";
import { describeUpstream } from "../secrets/describe-upstream.ts";
import type { Steps } from "../time-slices.ts";
import { locksOf } from "./locks-of-route.ts";
import { pairTakers, type Taker } from "./pair-takers.ts";

/** A route that a lock of the configuration before guards, and that lock. */
export type LostLock = Readonly<{ route: string; lock: string }>;

/**
 * Finds a route whose lock another configuration takes away or changes: from the route itself, or from requests that were
 * meant for it, which another route takes now. That clients reach services which no route names is such a change, too.
 */
export function* findLostLock(before: GatewayConfig, after: GatewayConfig): Steps<LostLock | undefined> {
  if (!opensServices(before) && opensServices(after)) return { route: "DynamicRoutes", lock: "AllowAnyService" };
  for (const { one, other } of yield* pairTakers(before, after)) {
    yield;
    const later = locksOfTaker(other);
    const lost = Object.entries(locksOfTaker(one)).find(([lock, value]) => !isDeepStrictEqual(value, later[lock]));
    if (lost !== undefined) return { route: one.route.Key ?? describeUpstream(one.route), lock: lost[0] };
  }
  return undefined;
}

/** Whether clients reach every service of a registry. */
export function opensServices(config: GatewayConfig): boolean {
  return allowsAnyService(config.routes, globalConfigOf(config)!);
}

/** The locks of an aggregate are those of all its parts. */
function locksOfTaker({ route, parts, global }: Taker): Readonly<Record<string, unknown>> {
  if (parts.length === 0) return locksOf(route, global);
  const locks = parts.flatMap((part) =>
    Object.entries(locksOf(part, global)).map(([lock, value]) => [`${lock} of ${part.Key}`, value] as const),
  );
  return Object.fromEntries(locks);
}
