import { describeLimit, effectiveLimit } from "../capabilities/rate-limits/effective-limit.ts";
import type { GlobalConfig, RouteConfig } from "../config/sections.ts";

/** How often clients may ask on a route, in words; undefined where as often as they like. */
export function routeRateOf(route: RouteConfig, global: GlobalConfig): string | undefined {
  const limit = effectiveLimit(route, global);
  return limit && describeLimit(limit);
}
