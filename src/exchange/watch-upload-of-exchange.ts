import type { RouteLimits } from "../capabilities/limits/route-limits.ts";
import {
  createUploadWatchBehindHead,
  type WatchUploadBehindHead,
} from "../capabilities/timeouts/watch-upload-behind-head.ts";
import type { Exchange } from "./exchange.ts";

/** Ends an exchange whose upload stands still together with its answer. */
export type WatchUploadOf = (exchange: Exchange, fail: (error: Error) => void) => void;

/** Prepares how uploads are watched from the head of their answers on; routes with the same limits share one watch. */
export function createUploadWatch(): WatchUploadOf {
  const watches = new WeakMap<RouteLimits, WatchUploadBehindHead>();
  return function watchUploadOf({ cancellation, compiled: { limits }, context, framing }, fail) {
    const { req } = context;
    // Most requests have no body, or have come in whole when their answer comes.
    if (framing.kind === "none" || req.complete) return;
    let watch = watches.get(limits);
    if (watch === undefined) watches.set(limits, (watch = createUploadWatchBehindHead(limits.upload)));
    cancellation.onCancel(watch(req, fail));
  };
}
