import type { FetchCall, Landed } from "./fetch-answer.ts";
import type { FetchForAll } from "./fetch-for-all.ts";
import { flightNameOf } from "./find-place.ts";
import type { Flights } from "./flights.ts";

/** Asks the service anew behind an answer that was given although it is not fresh; whoever asks meanwhile gets it, too. */
export function refreshBehind(call: FetchCall, flights: Flights<Landed>, fetchForAll: FetchForAll): void {
  const { asked, place } = call;
  const flightName = flightNameOf(place);
  if (flights.find(flightName) !== undefined) return;
  // The client has its answer: what comes now is not its own.
  const exchange = { ...asked.exchange, observation: undefined };
  fetchForAll({ ...call, asked: { ...asked, exchange } }, flights.begin(flightName)).then((answer) => {
    answer.body = null;
  }, nothing);
}

function nothing(): void {
  // The next request asks again.
}
