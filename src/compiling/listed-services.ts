import { isDynamicRoute } from "../config/dynamic-routes.ts";
import type { RouteConfig } from "../config/sections.ts";
import type { Provider } from "../discovery/provider.ts";
import type { Service } from "../discovery/service.ts";
import type { RouteSurroundings } from "./compile-routes.ts";
import { serviceOf } from "./find-services.ts";

/** Who is asked for services, and the routes that may name some of them. */
export type ListedIn = Readonly<{
  provider: Provider;
  surroundings: Pick<RouteSurroundings, "global" | "services">;
  routes: readonly RouteConfig[];
}>;

/** Tells which services an entry of `DynamicRoutes` names: by another spelling nobody gets past what is written there. */
export function createIsListed({ provider, routes, surroundings }: ListedIn): (service: Service) => boolean {
  const { global, services } = surroundings;
  const dynamic = routes.filter((route) => isDynamicRoute(route) && services.providerOf(route) === provider);
  const listed = new Set(dynamic.map((route) => provider.identify(serviceOf(route, global))));
  return (service) => listed.has(provider.identify(service));
}
