import { ownBodies } from "../../bodies/with-code/bodies-with-code.ts";
import { createCancellation, exchangeIsOver } from "../../cancellation.ts";
import type { Logger } from "../../logging/logger.ts";
import type { FetchCall, Landed } from "./fetch-answer.ts";
import type { FetchForAll } from "./go-on-without-client.ts";
import type { Flights } from "./wait-for-one-call.ts";

type RefreshParts = Readonly<{ flights: Flights<Landed>; fetchForAll: FetchForAll; logger: Logger }>;

/**
 * Prepares to ask the service anew behind an answer that was given although it is not fresh; whoever asks meanwhile gets
 * it, too. That may take as long as any request of the route, and is done once at a time, where there is a place for it.
 */
export function createRefreshBehind({ flights, fetchForAll, logger }: RefreshParts): (call: FetchCall) => void {
  return function refreshBehind(call) {
    const { asked, place } = call;
    if (flights.isUnderWay(place)) return;
    const held = asked.exchange.holdPlace(asked.exchange.compiled);
    if (held === undefined) return;
    // The client has its answer: what comes now is not its own, and does not end with it.
    const cancellation = createCancellation(logger);
    cancellation.cancel(exchangeIsOver);
    const exchange = {
      ...asked.exchange,
      cancellation,
      bodiesWithCode: ownBodies(asked.exchange),
      observation: undefined,
    };
    const behind = { ...call, asked: asked.by(exchange), conditions: undefined };
    fetchForAll(behind, flights.begin(place), held).catch(nothing);
  };
}

function nothing(): void {
  // The next request asks again.
}
