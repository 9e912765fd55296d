import type { Route } from "../route.ts";
import { maskValues } from "./redact.ts";
import { routeSecretsOf } from "./route-secrets.ts";

/** The id of a route as it may be shown: the value of a variable may have become part of it. */
export function shownRouteId({ id, config }: Pick<Route, "id" | "config">): string {
  return maskValues(id, routeSecretsOf(config).variables);
}
