import { ownAnswer } from "../../answers/own-answer.ts";
import type { Logger } from "../../logging/logger.ts";
import type { AnswerStore } from "../../stores/answer-store.ts";
import type { Around } from "../capability.ts";
import { type Asked, type AskedSettings, readAsked } from "./asked.ts";
import { answerFromKept, presentAnswer, presentMiss } from "./present-answer.ts";
import { credentialsShown } from "./cacheable-request.ts";
import { createFetchAnswer, type FetchCall, type Landed } from "./fetch-answer.ts";
import { createFetchForAll } from "./fetch-for-all.ts";
import { findPlace } from "./find-place.ts";
import type { Flights } from "./flights.ts";
import { takePreconditions } from "./preconditions.ts";
import type { Room } from "./room.ts";

/** What the cache of a route is made of. */
export type AnswerCacheParts = AskedSettings &
  Readonly<{
    /** What its answers are purged by. */
    groups: readonly string[];
    store: AnswerStore;
    flights: Flights<Landed>;
    room: Room;
    logger: Logger;
  }>;

/** Makes the cache of a route: gives answers again, and has equal requests at the same time wait for one call. */
export function createAnswerCache(parts: AnswerCacheParts): Around {
  const { groups, store, flights, logger } = parts;
  const fetchAnswer = createFetchAnswer(parts);
  const fetchForAll = createFetchForAll(fetchAnswer, logger);
  const fetchAlone = (call: FetchCall) => fetchAnswer(call, call.asked.exchange, nobodyWaits);

  return async function answerFromCache(outgoing, exchange, send) {
    const asked = await readAsked(outgoing, exchange, parts);
    if ("fwd" in asked) return presentAnswer(ownAnswer(await send(exchange)), exchange, { result: "bypass", ...asked });
    const place = await findPlace(asked, groups, store);
    // Whether the answer to a request with credentials is for others shows when it comes.
    if (!asked.mayBeShared(place.varies))
      return fetchAlone({
        asked,
        place,
        send,
        conditions: undefined,
        outcome: { result: "bypass", ...credentialsShown },
      });
    const conditions = takePreconditions(outgoing);
    if (place.kept !== undefined) return answerFromKept(place.kept, asked, { conditions, outcome: "hit" });
    const call = { asked, place, send, conditions, outcome: presentMiss(place) };
    const flight = flights.find(place.name);
    if (flight === undefined) return fetchForAll(call, flights.begin(place.name));
    const landed = await flight.wait(exchange.cancellation);
    if (landed === undefined || !isFor(asked, landed)) return fetchAlone(call);
    return answerFromKept(landed.kept, asked, { conditions, outcome: { ...call.outcome, isCollapsed: true } });
  };
}

const nobodyWaits = { land: nothing, end: nothing };

function nothing(): void {
  // Nobody is to be told.
}

/** Whether what has come for an equal request is what this one would get. */
function isFor(asked: Asked, { varies, ofFirst }: Landed): boolean {
  if (varies.length === 0) return true;
  const among = { varies, mark: "" };
  return asked.nameAmong(among) === ofFirst.nameAmong(among) && asked.mayBeShared(varies);
}
