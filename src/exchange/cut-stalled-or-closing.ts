import { cutConnection } from "../answers/cut-connection.ts";
import { closing } from "../admission/find-refusal.ts";
import { type GatewayError, RequestError } from "../errors.ts";
import type { RouteLimits } from "../capabilities/limits/route-limits.ts";
import { createDownloadWatch, type WatchDownload } from "../capabilities/timeouts/watch-download.ts";
import type { Logger } from "../logging/logger.ts";
import type { Exchange } from "./exchange.ts";

/** The gateway closes, and the exchange has had its time. */
export function cutAtClosing(exchange: Exchange, logger: Logger): void {
  cut(exchange, closing(), (fields) =>
    logger.warn(fields, "A request was cut off, as the gateway closes and its time was up."),
  );
}

/** Prepares how clients are cut off that take nothing of their answers; routes with the same limits share one watch. */
export function createStallWatch(logger: Logger): (exchange: Exchange) => (() => void) | undefined {
  const watches = new WeakMap<RouteLimits, WatchDownload>();
  return function watchStalls(exchange) {
    const { limits } = exchange.compiled;
    if (limits.download === undefined) return undefined;
    let watch = watches.get(limits);
    if (watch === undefined) watches.set(limits, (watch = createDownloadWatch(limits.download)));
    return watch(exchange.context.res, () => cutStalled(exchange, logger));
  };
}

/** The client has taken nothing of its answer for as long as it may. */
export function cutStalled(exchange: Exchange, logger: Logger): void {
  const error = new RequestError("download-stalled", "The client was cut off: it stopped taking its answer.");
  cut(exchange, error, (fields) => logger.info(fields, error.message));
  // A response that waits for the answers to earlier requests has no connection of its own yet.
  exchange.context.req.socket.destroy();
}

type LogFields = Readonly<{ route: string; code: string; status: number }>;

function cut(exchange: Exchange, error: GatewayError, log: (fields: LogFields) => void): void {
  const { cancellation, compiled, context, observation } = exchange;
  // What fails because of the cut has nothing to add.
  exchange.hasFailed = true;
  observation?.failed(error.code);
  if (cancellation.cancel(error)) log({ route: compiled.route.id, code: error.code, status: error.status });
  cutConnection(context.res);
}
