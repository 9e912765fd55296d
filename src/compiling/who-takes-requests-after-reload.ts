import { allowsAnyService } from "../config/dynamic-routes.ts";
import { aggregatesOf, type GatewayConfig, globalConfigOf } from "../config/gateway-config.ts";
import { fillSample } from "../config/rules/witness.ts";
import type { GlobalConfig, RouteConfig } from "../config/sections.ts";
import { nameOfRoute } from "../route-name.ts";
import { buildRouteIndex, type MatchTarget, type RouteIndex } from "../routing/index/route-index.ts";
import { parseUpstreamTemplate } from "../templates/upstream-template.ts";
import type { Steps } from "../time-slices.ts";
import { pathOf, queryOf } from "../urls/path-and-query.ts";
import { partKeysOf, routeOfAggregate } from "./aggregate-routes.ts";
import { defineRoute } from "./index-routes.ts";
import { readService, routeOfUnlisted, withoutRouteKeys } from "./unlisted-service.ts";

/** What takes requests: a route, a service that no route names, or an aggregate with the routes behind it. */
export type Taker = Readonly<{ name: string; route: RouteConfig; parts: readonly RouteConfig[]; global: GlobalConfig }>;

/** What takes requests now, and what takes them by another configuration. */
type TakerPair = Readonly<{ one: Taker; other: Taker }>;

/**
 * Pairs what takes requests by two configurations: what has the same name, and what a request that is meant for it goes to.
 * The parts of an aggregate are routes, which are paired as such.
 */
export function* pairTakers(before: GatewayConfig, after: GatewayConfig): Steps<readonly TakerPair[]> {
  const [earlier, later] = [yield* gather(before), yield* gather(after)];
  const pairs: TakerPair[] = [];
  const add = (one: Taker | undefined, other: Taker | undefined): void => {
    if (one !== undefined && other !== undefined) pairs.push({ one, other });
  };
  for (const one of earlier.all) {
    yield;
    const request = sampleFor(one.route);
    if (one.parts.length === 0) add(one, later.byName.get(one.name));
    const [mine, others] = [earlier.find(request), later.find(request)];
    if (mine?.name !== others?.name) add(mine, others);
  }
  add(earlier.anyService(anyRequest), later.anyService(anyRequest));
  return pairs;
}

const anyRequest = { path: "/any/x" };

type Takers = Readonly<{
  all: readonly Taker[];
  byName: ReadonlyMap<string, Taker>;
  find: (request: MatchTarget) => Taker | undefined;
  anyService: (request: Pick<MatchTarget, "path">) => Taker | undefined;
}>;

function* gather(config: GatewayConfig): Steps<Takers> {
  const global = globalConfigOf(config)!;
  const routes = config.routes.map((route) => ({ name: nameOfRoute(route), route, parts: [], global }));
  const byKey = new Map(config.routes.map((route) => [route.Key, route]));
  const aggregates = aggregatesOf(config).map((written) => {
    const route = routeOfAggregate(written);
    return {
      name: `aggregate ${nameOfRoute(route)}`,
      route,
      parts: partKeysOf(written).map((key) => byKey.get(key)!),
      global,
    };
  });
  const all: readonly Taker[] = [...routes, ...aggregates];
  const index: RouteIndex<Taker> = yield* buildRouteIndex(
    all.map((taker) => defineRoute(taker, parseUpstreamTemplate(taker.route.UpstreamPathTemplate), taker.route)),
  );
  return {
    all,
    byName: new Map(all.map((taker) => [taker.name, taker])),
    find: (request) => index.find(request)?.value ?? anyService(request),
    anyService,
  };

  function anyService({ path }: Pick<MatchTarget, "path">): Taker | undefined {
    const service = allowsAnyService(config.routes, global) ? readService(path, global) : undefined;
    if (service === undefined) return undefined;
    return { name: "any service", route: routeOfUnlisted(service), parts: [], global: withoutRouteKeys(global) };
  }
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
