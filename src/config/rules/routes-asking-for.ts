import type { Steps } from "../../time-slices.ts";
import type { GlobalEntry, RouteEntry, RoutesAskingFor } from "./rule.ts";

/** Goes through all routes once, so that no rule need do so to find its own. */
export function* findRoutesByKey(routes: readonly RouteEntry[], global: GlobalEntry): Steps<RoutesAskingFor> {
  const byKey = new Map<string, RouteEntry[]>();
  for (const route of routes) {
    yield;
    for (const key of Object.keys(route.config)) {
      const others = byKey.get(key);
      if (others === undefined) byKey.set(key, [route]);
      else others.push(route);
    }
  }

  return function routesAskingFor(...keys) {
    if (keys.some((key) => Object.hasOwn(global.config, key))) return routes;
    const found = keys.map((key) => byKey.get(key) ?? []).filter((some) => some.length > 0);
    if (found.length <= 1) return found[0] ?? [];
    return [...new Set(found.flat())].sort((one, other) => one.index - other.index);
  };
}
