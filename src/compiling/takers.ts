import { allowsAnyService } from "../config/dynamic-routes.ts";
import { aggregatesOf, type GatewayConfig, globalConfigOf } from "../config/gateway-config.ts";
import { fillSample } from "../config/rules/witness.ts";
import type { GlobalConfig, RouteConfig } from "../config/sections.ts";
import { nameOfRoute } from "../route-name.ts";
import { pathOf } from "../urls/path-and-query.ts";
import { partKeysOf, routeOfAggregate } from "./aggregate-routes.ts";
import { readService, routeOfUnlisted, withoutRouteKeys } from "./unlisted-service.ts";

/** What takes requests: a route, a service that no route names, or an aggregate with the routes behind it. */
export type Taker = Readonly<{ name: string; route: RouteConfig; parts: readonly RouteConfig[]; global: GlobalConfig }>;

/** The routes of a configuration, then its aggregates. */
export function takersOf(config: GatewayConfig): readonly Taker[] {
  const global = globalConfigOf(config)!;
  const byKey = new Map(config.routes.map((route) => [route.Key, route]));
  const routes = config.routes.map((route) => ({ name: nameOfRoute(route), route, parts: [], global }));
  const aggregates = aggregatesOf(config).map((written) => {
    const route = routeOfAggregate(written);
    const parts = partKeysOf(written).map((key) => byKey.get(key)!);
    return { name: `aggregate ${nameOfRoute(route)}`, route, parts, global };
  });
  return [...routes, ...aggregates];
}

/** The service that no route names and that takes what is meant for a template, where clients may reach any. */
export function anyServiceFor(template: string, config: GatewayConfig): Taker | undefined {
  const global = globalConfigOf(config)!;
  if (!allowsAnyService(config.routes, global)) return undefined;
  const service = readService(pathOf(fillSample(template)), global);
  if (service === undefined) return undefined;
  return { name: "any service", route: routeOfUnlisted(service), parts: [], global: withoutRouteKeys(global) };
}
