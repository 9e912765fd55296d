import { createCancellation, exchangeIsOver } from "../../cancellation.ts";
import type { UpstreamResponse } from "../../delegating-handler.ts";
import { createContext } from "../../exchange/gateway-context.ts";
import type { MatchedExchange } from "../../exchange/matched-exchange.ts";
import type { Logger } from "../../logging/logger.ts";
import type { FetchAnswer, FetchCall, Landed } from "./fetch-answer.ts";
import type { Flight } from "./wait-for-one-call.ts";

/** Asks the service for one client, and for all who wait for the same. */
export type FetchForAll = (call: FetchCall, flight: Flight<Landed>) => Promise<UpstreamResponse>;

/** Prepares calls that end when nobody wants their answers any more, and not with the client that began them. */
export function createFetchForAll(fetchAnswer: FetchAnswer, logger: Logger): FetchForAll {
  return function fetchForAll(call, flight) {
    const { exchange } = call.asked;
    let over: Error | undefined;
    const { standIn, end } = createSharedCall(exchange, isWanted, logger);
    flight.onDeserted(() => {
      if (over !== undefined && !isWanted(over)) end(over);
    });
    return new Promise((resolve, reject) => {
      exchange.cancellation.onCancel(reject);
      fetchAnswer(call, standIn, { land: flight.land, end }).then(resolve, fail);

      function fail(error: Error): void {
        flight.land(undefined);
        end();
        reject(error);
      }
    });

    /** A client that has its answer, as it had it already, does not end what others may get. */
    function isWanted(reason: Error): boolean {
      over = reason;
      return flight.isAwaited() || (reason === exchangeIsOver && !flight.hasLanded());
    }
  };
}

/** A call that does not end with the client that began it. */
type SharedCall = Readonly<{
  /** For whom it is made. */
  standIn: MatchedExchange;
  /** Ends what it has begun, unless that is over. */
  end: (reason?: Error) => void;
}>;

/**
 * Makes a stand-in of an exchange: it ends when the call is over, or when its client is gone and `isWanted` tells that
 * nobody else has any use for the answer.
 */
function createSharedCall(exchange: MatchedExchange, isWanted: (reason: Error) => boolean, logger: Logger): SharedCall {
  const cancellation = createCancellation(logger);
  const context = createContext(exchange.context, cancellation);
  const standIn: MatchedExchange = { ...exchange, context, cancellation };
  exchange.cancellation.onCancel((reason) => {
    if (!isWanted(reason)) cancellation.cancel(reason);
  });
  return { standIn, end: (reason = exchangeIsOver) => void cancellation.cancel(reason) };
}
