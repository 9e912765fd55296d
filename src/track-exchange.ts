import { closing, overloaded } from "./admit-request.ts";
import { type Exchange, exchangeIsOver } from "./begin-exchange.ts";
import type { Cancellation } from "./cancellation.ts";
import { cutConnection, discardRest } from "./end-exchange.ts";
import { type OverloadError, RequestError } from "./errors.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { Logger } from "./logger.ts";

/** Follows exchanges from the match to their end. */
export type Tracker = Readonly<{
  /** Counts an exchange until its response is over; the function that comes back ends that early. */
  track: (exchange: Exchange) => () => void;
  /** Why no exchange may begin at the moment; asked once the new one is counted. */
  findOverload: () => OverloadError | undefined;
}>;

/** Makes the tracker of one gateway. */
export function createTracker(lifecycle: Lifecycle, limit = Infinity, logger: Logger): Tracker {
  let count = 0;
  return { track, findOverload };

  function findOverload(): OverloadError | undefined {
    if (lifecycle.isClosing()) return closing();
    return count > limit ? overloaded() : undefined;
  }

  function track({ cancellation, compiled: { route, load }, context, framing, upgrade }: Exchange): () => void {
    const { req, res } = context;
    const sockets = upgrade === undefined ? 0 : 1;
    const running = { destroy: () => cutConnection(res) };
    lifecycle.begin(running);
    count += 1;
    load.running += 1;
    load.sockets += sockets;
    let isUnderWay = true;
    // A client that left while earlier middleware was busy sends no event any more.
    if (res.closed) end();
    else res.once("close", end);
    return leave;

    function end(): void {
      if (res.writableFinished) cancellation.cancel(exchangeIsOver);
      else noteClientGone(cancellation, route.id);
      leave();
      if (framing.kind !== "none" && !req.readableEnded) discardRest(req);
    }

    function leave(): void {
      if (!isUnderWay) return;
      isUnderWay = false;
      res.off("close", end);
      count -= 1;
      load.running -= 1;
      load.sockets -= sockets;
      lifecycle.end(running);
    }
  }

  function noteClientGone({ cancel }: Cancellation, route: string): void {
    const error = new RequestError("client-gone", "The client went away before the answer was complete.");
    if (cancel(error)) logger.info({ route, code: error.code, status: error.status }, error.message);
  }
}
