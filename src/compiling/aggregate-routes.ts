import type { AggregateConfig } from "../aggregates/aggregate-keys.ts";
import { type RouteConfig, routeSection } from "../config/sections.ts";
import { inheritSecrets } from "../secrets/inherit-secrets.ts";

/** What an aggregate is called: its key, or its place. */
export function idOfAggregate({ Key }: AggregateConfig, index: number): string {
  return Key ?? `aggregate-${index}`;
}

/** The keys of an aggregate's parts, in the order of its answer. */
export function partKeysOf({ RouteKeys }: AggregateConfig): readonly string[] {
  return [...new Set(RouteKeys)];
}

/** An aggregate as a route has it: what of it decides about its requests. */
export function routeOfAggregate(config: AggregateConfig): RouteConfig {
  const own = Object.entries(config).filter(([name]) => Object.hasOwn(routeSection.keys, name));
  const matching = Object.fromEntries(own) as Pick<AggregateConfig, keyof AggregateConfig & keyof RouteConfig>;
  const methods = { UpstreamHttpMethod: config.UpstreamHttpMethod ?? ["GET"] };
  return inheritSecrets({ ...matching, ...methods, DownstreamPathTemplate: "" }, config);
}

/** A route as it is behind an aggregate: its values come from the aggregate's templates. */
export function routeBehind(
  { UpstreamPathTemplate, UpstreamHeaderTemplates }: AggregateConfig,
  own: RouteConfig,
): RouteConfig {
  return inheritSecrets({ ...own, UpstreamPathTemplate, UpstreamHeaderTemplates }, own);
}
