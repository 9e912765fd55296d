import { toDynamicRoute } from "../config/dynamic-routes.ts";
import type { GlobalConfig, RouteConfig } from "../config/sections.ts";
import { isAskable, labelOf, type Service } from "../discovery/service.ts";
import { markUnlisted } from "../discovery/unlisted-marks.ts";
import { parseUpstreamTemplate } from "../templates/upstream-template.ts";
import { readRequestTarget } from "../urls/request-target.ts";
import { plainScheme } from "../urls/schemes.ts";

/** By what a request finds the route of such a service: a registry may know one by several spellings. */
export const anySpelling = parseUpstreamTemplate("/{service}/{everything}");

/** The route of a service that no configuration names. */
export function routeOfUnlisted({ name, namespace }: Service): RouteConfig {
  const route = toDynamicRoute({ ServiceName: name, ServiceNamespace: namespace });
  markUnlisted(route);
  return route;
}

/** The service of the first segment: what stands before its first dot is the namespace. */
export function readService(url: string, { DownstreamScheme }: GlobalConfig): Service | undefined {
  const { path = "" } = readRequestTarget(url) ?? {};
  const [, namespace = "", name = ""] = /^\/(?:([^./]*)\.)?([^/]*)/.exec(path) ?? [];
  const service = {
    name,
    namespace: namespace === "" ? undefined : namespace,
    scheme: plainScheme(DownstreamScheme),
  };
  return isAskable(labelOf(service)) ? service : undefined;
}

/** A service that no configuration names gets every global section, whichever routes it is for. */
export function withoutRouteKeys(global: GlobalConfig): GlobalConfig {
  const sections = Object.entries(global).map(([name, value]: [string, unknown]) => {
    const isLimited = typeof value === "object" && value !== null && "RouteKeys" in value;
    return [name, isLimited ? { ...value, RouteKeys: undefined } : value] as const;
  });
  return Object.fromEntries(sections);
}
