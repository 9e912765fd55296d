import type { Route } from "../route.ts";

/** Makes a function that computes something once for each route. */
export function oncePerRoute<Value extends object>(compute: (route: Route) => Value): (route: Route) => Value {
  const known = new WeakMap<Route, Value>();

  return function findForRoute(route) {
    const found = known.get(route);
    if (found !== undefined) return found;
    const computed = compute(route);
    known.set(route, computed);
    return computed;
  };
}
