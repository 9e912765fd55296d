import type { RouteConfig } from "../../config/sections.ts";
import { plainName } from "../../headers/header-aliases.ts";

/**
 * The headers that any route sets from claims, as upstreams read their names, however these are spelt; undefined where
 * there are none.
 */
export function claimHeadersOf(routes: readonly RouteConfig[]): ReadonlySet<string> | undefined {
  const names = routes.flatMap(({ AddHeadersToRequest: set }) => (set === undefined ? [] : Object.keys(set)));
  return names.length === 0 ? undefined : new Set(names.map((name) => plainName(name.toLowerCase())));
}
