import { type OverloadError, RequestError } from "../errors.ts";
import type { Lifecycle } from "../generation/lifecycle.ts";
import type { Live } from "../generation/live.ts";
import type { Logger } from "../logger.ts";
import { closing, overloaded } from "./admit-request.ts";
import { type Exchange, exchangeIsOver } from "./begin-exchange.ts";
import { cutConnection, discardRest } from "./end-exchange.ts";
import { observeExchange } from "./observe-exchange.ts";

/** Follows exchanges from the match to their end. */
export type Tracker = Readonly<{
  /** Counts an exchange until its response is over; the function that comes back ends that early. */
  track: (exchange: Exchange) => () => void;
  /** Why no exchange may begin at the moment; asked once the new one is counted. */
  findOverload: (limit: number) => OverloadError | undefined;
}>;

/** Makes the tracker of one gateway. */
export function createTracker(lifecycle: Lifecycle, live: Readonly<Live>, logger: Logger): Tracker {
  let count = 0;
  return { track, findOverload };

  function findOverload(limit: number): OverloadError | undefined {
    if (lifecycle.isClosing()) return closing();
    return count > limit ? overloaded() : undefined;
  }

  function track(exchange: Exchange): () => void {
    const { cancellation, compiled, context, framing, upgrade } = exchange;
    const { req, res } = context;
    const { load } = compiled;
    const sockets = upgrade === undefined ? 0 : 1;
    if (live.observers !== undefined) exchange.observation = observeExchange(exchange, live.observers, logger);
    const running = { destroy: () => cutOff(exchange, logger) };
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
      else noteClientGone(exchange);
      leave();
      exchange.observation?.ended();
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

  function noteClientGone({ cancellation, compiled: { route }, observation }: Exchange): void {
    const error = new RequestError("client-gone", "The client went away before the answer was complete.");
    if (!cancellation.cancel(error)) return;
    observation?.failed(error.code);
    logger.info({ route: route.id, code: error.code, status: error.status }, error.message);
  }
}

/** The gateway closes, and the exchange has had its time. */
function cutOff({ cancellation, compiled: { route }, context, observation }: Exchange, logger: Logger): void {
  const error = closing();
  observation?.failed(error.code);
  if (cancellation.cancel(error)) {
    const fields = { route: route.id, code: error.code, status: error.status };
    logger.warn(fields, "A request was cut off, as the gateway closes and its time was up.");
  }
  cutConnection(context.res);
}
