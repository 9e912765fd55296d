import { isAskable, labelOf } from "../discovery/service.ts";
import { quote } from "../json/json-node.ts";
import { locate, type Place, placeWithin } from "../json/place.ts";
import type { Report } from "./problems/problem-list.ts";
import type { RouteEntry } from "./rules/rule.ts";
import type { Key } from "../schema/key.ts";
import { type DynamicRouteConfig, dynamicRouteSection, type GlobalConfig, type RouteConfig } from "./sections.ts";

// Whatever else matches comes first, a route for every path included.
const behindAll = Number.MIN_SAFE_INTEGER;

const dynamicRoutes = new WeakMap<object, DynamicRouteConfig>();

/** The route that an entry of `DynamicRoutes` comes to: the first segment of the path is the service, the rest the path. */
export function toDynamicRoute(entry: DynamicRouteConfig): RouteConfig {
  const route = Object.freeze({
    ...entry,
    UpstreamPathTemplate: `/${nameOf(entry)}/{everything}`,
    DownstreamPathTemplate: "/{everything}",
    RouteIsCaseSensitive: true,
    Priority: behindAll,
  });
  dynamicRoutes.set(route, entry);
  return route;
}

/** The id of a route without `Key`: its service where it is a dynamic one, else its place. */
export function usualIdOf(route: RouteConfig, index: number): string {
  const entry = dynamicRoutes.get(route);
  return entry === undefined ? String(index) : `dynamic-${nameOf(entry)}`;
}

/** Whether a route comes from `DynamicRoutes`. */
export function isDynamicRoute(route: Readonly<Partial<RouteConfig>>): boolean {
  return dynamicRoutes.has(route);
}

const guardingKeys = Object.entries<Key>(dynamicRouteSection.keys)
  .filter(([, { isLock, restricts }]) => isLock === true || restricts === true)
  .map(([name]) => name as keyof RouteConfig);

/** Whether an entry of `DynamicRoutes` demands something of clients, or lets not all of their requests pass. */
export function guardsSomething(route: Readonly<Partial<RouteConfig>>): boolean {
  return guardingKeys.some((name) => route[name] !== undefined);
}

/** Whether clients may reach services that no route names: where the provider says so, and no route is written or some are dynamic. */
export function allowsAnyService(
  routes: readonly Readonly<Partial<RouteConfig>>[],
  { ServiceDiscoveryProvider: provider }: Readonly<Partial<GlobalConfig>>,
): boolean {
  return provider?.AllowAnyService === true && (routes.length === 0 || routes.some(isDynamicRoute));
}

function nameOf({ ServiceName, ServiceNamespace }: DynamicRouteConfig): string {
  return labelOf({ name: ServiceName.trim(), namespace: ServiceNamespace?.trim() });
}

/** Reads the entries of `DynamicRoutes` as routes; one that names no service that can be asked for is reported. */
export function readDynamicRoutes(
  entries: readonly (Partial<DynamicRouteConfig> | undefined)[],
  { root, first, report }: Readonly<{ root: Place; first: number; report: Report }>,
): readonly RouteEntry[] {
  const list = locate(root, ["DynamicRoutes"]);
  return entries.flatMap((entry, index) => {
    // An entry that is no object was reported when it was read.
    if (entry === undefined) return [];
    const item = list.node.kind === "array" ? list.node.items[index] : undefined;
    const place = item === undefined ? list : placeWithin(list, index, item);
    const { ServiceName: name } = entry;
    if (name !== undefined && isAskable(name.trim())) {
      return [
        {
          index: first + index,
          name: `DynamicRoutes[${index}]`,
          place,
          config: toDynamicRoute({ ...entry, ServiceName: name }),
        },
      ];
    }
    const expected = 'expected "ServiceName", a name of letters, digits, "-", "_" and single dots';
    const found = name === undefined ? "nothing" : quote(name);
    report(
      "service-name-invalid",
      name === undefined ? place : locate(place, ["ServiceName"]),
      `${expected}, found ${found}`,
    );
    return [];
  });
}
