import { ownBodies } from "../../bodies/with-code/bodies-with-code.ts";
import { outlast } from "../../bodies/with-code/outlast-exchange.ts";
import { createCancellation, exchangeIsOver } from "../../cancellation.ts";
import type { UpstreamResponse } from "../../delegating-handler.ts";
import { createContext } from "../../exchange/gateway-context.ts";
import type { HeldPlace } from "../../exchange/calls-without-client.ts";
import type { MatchedExchange } from "../../exchange/matched-exchange.ts";
import type { Logger } from "../../logging/logger.ts";
import { after } from "../../unattended/guarded.ts";
import type { FetchAnswer, FetchCall, Landed } from "./fetch-answer.ts";
import type { Flight } from "./wait-for-one-call.ts";

/** Asks the service for one client, and for all who wait for the same; or for no client, at a place that is held for that. */
export type FetchForAll = (call: FetchCall, flight: Flight<Landed>, held?: HeldPlace) => Promise<UpstreamResponse>;

// What a client has asked for and does not need, others may ask for soon.
const longestWithoutClient = 5_000;

/** Prepares calls that end when nobody wants their answers any more, and not with the client that began them. */
export function createFetchForAll(fetchAnswer: FetchAnswer, logger: Logger): FetchForAll {
  return function fetchForAll(call, flight, held) {
    const { exchange } = call.asked;
    const { standIn, end } = createSharedCall(exchange, logger);
    let left: Error | undefined;
    let [place, mayGoOn, hasArrived] = [held, held !== undefined, false];
    let timer: NodeJS.Timeout | undefined;
    outlast(exchange).onCancel(leave);
    flight.onDeserted(endUnlessWanted);
    standIn.cancellation.onCancel(leavePlace);
    return new Promise((resolve, reject) => {
      exchange.cancellation.onCancel(reject);
      fetchAnswer(call, standIn, { arrive, land: flight.land, end }).then(resolve, fail);

      function fail(error: Error): void {
        flight.land(undefined);
        end();
        reject(error);
      }
    });

    /** A client that has its answer, as it had it already, does not end what others may get. */
    function leave(reason: Error): void {
      left = reason;
      if (reason === exchangeIsOver && !hasArrived && !flight.hasLanded()) goOnForAWhile();
      endUnlessWanted();
    }

    function goOnForAWhile(): void {
      place ??= exchange.holdPlace(exchange.compiled);
      place?.onClosing(goOnNoLonger);
      if (mayGoOn || place === undefined) return;
      mayGoOn = true;
      timer = after(longestWithoutClient, goOnNoLonger).unref();
    }

    function goOnNoLonger(): void {
      mayGoOn = false;
      endUnlessWanted();
    }

    function endUnlessWanted(): void {
      if (left === undefined || flight.isAwaited() || ((mayGoOn || hasArrived) && !flight.hasLanded())) return;
      flight.land(undefined);
      end(left);
    }

    function arrive(): void {
      hasArrived = true;
      leavePlace();
    }

    function leavePlace(): void {
      clearTimeout(timer);
      place?.giveBack();
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

/** Makes a stand-in of an exchange, which does not end with it. */
function createSharedCall(exchange: MatchedExchange, logger: Logger): SharedCall {
  const cancellation = createCancellation(logger);
  const context = createContext(exchange.context, cancellation);
  const bodiesWithCode = ownBodies(exchange);
  const standIn: MatchedExchange = { ...exchange, context, cancellation, bodiesWithCode };
  return { standIn, end: (reason = exchangeIsOver) => void cancellation.cancel(reason) };
}
