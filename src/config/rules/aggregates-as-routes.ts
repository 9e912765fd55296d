import type { ConfigRule, RouteEntry, RouteRule, Rulebook } from "./rule.ts";
import { warnOfPriority, warnOfUpstreamHost } from "./matching-keys.ts";
import { checkHeaderNames } from "./header-names.ts";
import { checkQueryTemplate, checkRepeatedPlaceholders } from "./placeholders.ts";
import { templatesOf } from "./template-texts.ts";
import { checkBraces, requireUpstreamTemplate } from "./templates.ts";
import { warnOfEmptyHeaders, warnOfEmptyLists } from "./empty-restrictions.ts";

/** All that takes requests, as routes: aggregates stand behind them. */
export function takersIn({ routes, aggregates }: Pick<Rulebook, "routes" | "aggregates">): readonly RouteEntry[] {
  if (aggregates.length === 0) return routes;
  const behind = aggregates.map(({ index, name, place, config }): RouteEntry => {
    const { UpstreamHttpMethod = ["GET"] } = config;
    return { index: routes.length + index, name, place, config: { ...config, UpstreamHttpMethod } };
  });
  return [...routes, ...behind];
}

/** What is asked of an aggregate as of a route. */
const rulesOfRoutes: readonly RouteRule[] = [
  requireUpstreamTemplate,
  checkBraces,
  checkRepeatedPlaceholders,
  checkQueryTemplate,
  checkHeaderNames,
  warnOfPriority,
  warnOfUpstreamHost,
  warnOfEmptyLists,
  warnOfEmptyHeaders,
];

/** What of an aggregate is as of a route is judged as there. */
export const checkAggregateTemplates: ConfigRule = function* checkAggregateTemplates({ aggregates, report }) {
  for (const { place, config } of aggregates) {
    yield;
    const route = { place, config, templates: templatesOf(config) };
    for (const rule of rulesOfRoutes) rule(route, report);
  }
};
