import type { CompiledRoute } from "./compile-routes.ts";
import type { Logger } from "./logger.ts";
import { createRouteIndex, type RouteIndex } from "./match/route-index.ts";

const unusualShapeCount = 64;

/** Makes the index of a gateway's routes; says so when their templates are unusually many-shaped. */
export function indexRoutes(compiled: readonly CompiledRoute[], logger: Logger): RouteIndex<CompiledRoute> {
  const index = createRouteIndex(
    compiled.map((value) => {
      const { RouteIsCaseSensitive, UpstreamHttpMethod, UpstreamHost, Priority } = value.route.config;
      return {
        value,
        template: value.template,
        methods: UpstreamHttpMethod,
        host: UpstreamHost,
        caseSensitive: RouteIsCaseSensitive ?? false,
        priority: Priority ?? 1,
      };
    }),
  );
  if (index.shapeCount > unusualShapeCount) {
    logger.warn(
      { shapes: index.shapeCount },
      "The routes' templates have many shapes: finding a route takes longer with each.",
    );
  }
  return index;
}
