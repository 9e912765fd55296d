import type { OverloadError } from "../errors.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { Live } from "../compiling/live.ts";
import { listen, type Attached } from "../unattended/guarded.ts";
import type { Logger } from "../logging/logger.ts";
import { closing } from "../admission/find-refusal.ts";
import { overloaded } from "../admission/judge-limits.ts";
import { exchangeIsOver } from "../cancellation.ts";
import type { Exchange } from "./exchange.ts";
import { createStallWatch, cutAtClosing } from "./cut-stalled-or-closing.ts";
import { discardRest } from "../bodies/uploads/discard-rest-of-upload.ts";
import { createHoldPlace, type HoldPlace } from "./calls-without-client.ts";
import { observeExchange } from "../observing/observe-exchange.ts";
import { noteClientGone } from "./client-gone.ts";
import { giveBackConnection } from "../give-back-connection.ts";
import { createTrackCall, type TrackCall } from "./count-calls-of-parts.ts";
import { createWatchUploadOf } from "./watch-upload-of-exchange.ts";

/** Follows exchanges from the match to their end. */
export type Tracker = Readonly<{
  /**
   * Counts an exchange until its response is over, and lets it fail where its upload stands still; the function that comes
   * back ends that early.
   */
  track: (exchange: Exchange, fail: (error: unknown) => void) => () => void;
  trackCall: TrackCall;
  /** Why no exchange may begin at the moment; asked once the new one is counted. */
  findOverload: (limit: number) => OverloadError | undefined;
  holdPlace: HoldPlace;
}>;

/** Makes the tracker of one gateway. */
export function createTracker(lifecycle: Lifecycle, live: Readonly<Live>, logger: Logger): Tracker {
  const places = { taken: 0 };
  const watchDownload = createStallWatch(logger);
  const watchUpload = createWatchUploadOf();
  const holdPlace = createHoldPlace(places, () => live.present.concurrent, lifecycle);
  return { track, trackCall: createTrackCall(places, findOverload), findOverload, holdPlace };

  function findOverload(limit: number): OverloadError | undefined {
    if (lifecycle.isClosing()) return closing();
    return places.taken > limit ? overloaded() : undefined;
  }

  function track(exchange: Exchange, fail: (error: unknown) => void): () => void {
    const { cancellation, compiled, context, framing, upgrade } = exchange;
    const { req, res } = context;
    const sockets = upgrade === undefined ? 0 : 1;
    if (live.observers !== undefined) exchange.observation = observeExchange(exchange, live.observers, logger);
    const running = { destroy: () => cutAtClosing(exchange, logger) };
    lifecycle.begin(running);
    places.taken += 1;
    compiled.load.running += 1;
    compiled.load.sockets += sockets;
    let isUnderWay = true;
    let ending: Attached | undefined;
    const unwatchDownload = watchDownload(exchange);
    const unwatchUpload = watchUpload(exchange, fail);
    if (framing.kind !== "none") listen(req, "close", () => giveBackConnection(req));
    // A client that left while earlier middleware was busy sends no event any more.
    if (res.closed) end();
    else ending = listen(res, "close", end);
    return untrack;

    function end(): void {
      giveBackConnection(req);
      if (res.writableFinished) cancellation.cancel(exchangeIsOver);
      else noteClientGone(exchange, logger);
      letRestFlow(exchange);
      exchange.observation?.ended();
      untrack();
    }

    function untrack(): void {
      if (!isUnderWay) return;
      isUnderWay = false;
      places.taken -= 1;
      compiled.load.running -= 1;
      compiled.load.sockets -= sockets;
      lifecycle.end(running);
      unwatchDownload?.();
      unwatchUpload?.();
      // Last, as middleware may have put something of its own in its place.
      if (ending !== undefined) res.off("close", ending);
    }
  }
}

/** What was refused goes on to nobody; what was answered, to whoever takes it in. */
function letRestFlow({ context: { req }, framing, hasFailed }: Exchange): void {
  if (framing.kind === "none" || req.readableEnded) return;
  if (hasFailed) req.unpipe();
  discardRest(req);
}
