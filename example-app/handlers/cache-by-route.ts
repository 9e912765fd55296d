import type { DelegatingHandler, Gateway } from "../../src/index.ts";

/** Wraps the call upstream: finds the route's metadata by its id, and says how long the answer may be kept. */
export function createCacheByRoute(routesOf: () => Gateway["routes"]): DelegatingHandler {
  return async function cacheByRoute(_outgoing, next, context) {
    const answer = await next();
    const seconds = routesOf().get(context.route.id)?.getMetadata("cacheSeconds", "int") ?? 0;
    if (seconds > 0 && answer.status === 200) answer.headers["cache-control"] = `private, max-age=${seconds}`;
    return answer;
  };
}
