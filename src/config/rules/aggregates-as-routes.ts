import type { RouteEntry, Rulebook } from "./rule.ts";

/** All that takes requests, as routes: aggregates stand behind them. */
export function takersIn({ routes, aggregates }: Pick<Rulebook, "routes" | "aggregates">): readonly RouteEntry[] {
  if (aggregates.length === 0) return routes;
  const behind = aggregates.map(({ index, name, place, config }): RouteEntry => {
    const { UpstreamHttpMethod = ["GET"] } = config;
    return { index: routes.length + index, name, place, config: { ...config, UpstreamHttpMethod } };
  });
  return [...routes, ...behind];
}
