import { isDeepStrictEqual } from "node:util";
import { allowsAnyService, isDynamicRoute, toDynamicRoute } from "../config/dynamic-routes.ts";
import { type GatewayConfig, globalConfigOf } from "../config/gateway-config.ts";
import { fillSample } from "../config/rules/witness.ts";
import type { RouteConfig } from "../config/sections.ts";
import { nameOfRoute } from "../route-name.ts";
import { buildRouteIndex, type MatchTarget, type RouteIndex } from "../routing/index/route-index.ts";
import { parseUpstreamTemplate } from "../templates/upstream-template.ts";
import type { Steps } from "../time-slices.ts";
import { pathOf, queryOf } from "../urls/path-and-query.ts";
import { describeUpstream } from "../secrets/describe-upstream.ts";
import { locksOf } from "./compare-locks.ts";
import { defineRoute } from "./index-routes.ts";

/** A route that a lock of the configuration before guards, and that lock. */
export type LostLock = Readonly<{ route: string; lock: string }>;

/**
 * Finds a route whose lock another configuration takes away or changes: from the route itself, or from requests that were
 * meant for it, which another route takes now.
 */
export function* findLostLock(before: GatewayConfig, after: GatewayConfig): Steps<LostLock | undefined> {
  const [index, nextIndex] = [yield* indexOf(before), yield* indexOf(after)];
  const successors = new Map(after.routes.map((route) => [nameOfRoute(route), route]));
  for (const route of before.routes) {
    yield;
    const request = sampleFor(route);
    const pairs = [
      [route, successors.get(nameOfRoute(route))],
      [index.find(request)?.value, nextIndex.find(request)?.value ?? unlistedSuccessor(route, after)],
    ] as const;
    for (const [one, other] of pairs) {
      if (one === undefined || other === undefined) continue;
      const later = locksOf(other, after);
      const lost = Object.entries(locksOf(one, before)).find(([lock, value]) => !isDeepStrictEqual(value, later[lock]));
      if (lost !== undefined) return { route: one.Key ?? describeUpstream(one), lock: lost[0] };
    }
  }
  return undefined;
}

/** What becomes of a listed service that is listed no more, where clients may reach any. */
function unlistedSuccessor(route: RouteConfig, after: GatewayConfig): RouteConfig | undefined {
  const { ServiceName, ServiceNamespace } = route;
  const isOpen = isDynamicRoute(route) && allowsAnyService(after.routes, globalConfigOf(after) ?? {});
  return isOpen ? toDynamicRoute({ ServiceName: ServiceName!, ServiceNamespace }) : undefined;
}

function* indexOf({ routes }: GatewayConfig): Steps<RouteIndex<RouteConfig>> {
  return yield* buildRouteIndex(
    routes.map((route) => defineRoute(route, parseUpstreamTemplate(route.UpstreamPathTemplate), route)),
  );
}

/** A request that a route is meant for. */
function sampleFor({
  UpstreamPathTemplate,
  UpstreamHttpMethod: [method = "GET"] = [],
  UpstreamHost: host,
  UpstreamHeaderTemplates = {},
}: RouteConfig): MatchTarget {
  const target = fillSample(UpstreamPathTemplate);
  const headers = Object.entries(UpstreamHeaderTemplates).map(([name, text]) => [name.toLowerCase(), fillSample(text)]);
  return {
    ...{ method: method.trim().toUpperCase(), path: pathOf(target), query: queryOf(target), host },
    headers: Object.fromEntries(headers) as MatchTarget["headers"],
  };
}
