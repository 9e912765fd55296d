import type { RouteLimits } from "../capabilities/limits/route-limits.ts";
import { createUploadWatch, type WatchUploadOfExchange } from "../capabilities/timeouts/watch-upload-of-exchange.ts";
import type { Exchange } from "./exchange.ts";

/** Ends an exchange whose upload stands still, by `fail`; the function that comes back ends the watch. */
export type WatchUploadOf = (exchange: Exchange, fail: (error: Error) => void) => (() => void) | undefined;

/** Prepares how uploads are watched from the match on; routes with the same limits share one watch. */
export function createWatchUploadOf(): WatchUploadOf {
  const watches = new WeakMap<RouteLimits, WatchUploadOfExchange>();
  return function watchUploadOf(exchange, fail) {
    const { compiled, context, framing } = exchange;
    if (framing.kind === "none") return undefined;
    return watchOf(compiled.limits)({ req: context.req, isAnswered: () => exchange.keptHead !== undefined }, fail);
  };

  function watchOf(limits: RouteLimits): WatchUploadOfExchange {
    let watch = watches.get(limits);
    if (watch === undefined) watches.set(limits, (watch = createUploadWatch(limits.upload)));
    return watch;
  }
}
