import type { RouteConfig } from "../config/sections.ts";
import type { Logger } from "../logging/logger.ts";
import { buildRouteIndex, type RouteDefinition, type RouteIndex } from "../routing/index/route-index.ts";
import type { Steps } from "../time-slices.ts";
import type { UpstreamTemplate } from "../templates/upstream-template.ts";
import type { CompiledRoute } from "./compiled-route.ts";

const unusualShapeCount = 64;

/** Makes the index of a gateway's routes; says so when their templates are unusually many-shaped. */
export function* indexRoutes(compiled: readonly CompiledRoute[], logger: Logger): Steps<RouteIndex<CompiledRoute>> {
  const index = yield* buildRouteIndex(compiled.map((value) => defineRoute(value, value.template, value.route.config)));
  if (index.shapeCount > unusualShapeCount) {
    logger.warn(
      { shapes: index.shapeCount },
      "The routes' templates have many shapes: finding a route takes longer with each.",
    );
  }
  return index;
}

/** What of a route decides about its requests. */
export function defineRoute<R>(value: R, template: UpstreamTemplate, config: RouteConfig): RouteDefinition<R> {
  const { RouteIsCaseSensitive, UpstreamHttpMethod, UpstreamHost, Priority } = config;
  return {
    value,
    template,
    methods: UpstreamHttpMethod,
    host: UpstreamHost,
    caseSensitive: RouteIsCaseSensitive ?? false,
    priority: Priority,
  };
}
