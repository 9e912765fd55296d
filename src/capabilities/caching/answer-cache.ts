import { ownAnswer } from "../../answers/own-answer.ts";
import type { UpstreamResponse } from "../../delegating-handler.ts";
import type { Around, SendOn } from "../capability.ts";
import { type Asked, type AskedSettings, readAsked } from "./what-is-asked.ts";
import { answerFromKept, presentAnswer, presentMiss } from "./present-answer.ts";
import { credentialsShown } from "./shown-credentials.ts";
import type { PassingReason } from "./bypass-reason.ts";
import { createFetchAnswer, type FetchAnswer, type FetchCall, type FetchParts, type Landed } from "./fetch-answer.ts";
import { createFetchForAll } from "./go-on-without-client.ts";
import { demandsCached, demandsNoStore, refuseUncached } from "./client-demands.ts";
import { findHeadOfGet } from "./find-head-of-get.ts";
import { findPlace, type Place } from "./find-kept-answer.ts";
import type { Flight, Flights } from "./wait-for-one-call.ts";
import { takePreconditions } from "./preconditions.ts";
import { createRefreshBehind } from "./stale-while-revalidate.ts";
import { revalidating } from "./revalidate-or-stale-if-error.ts";
import type { Targeted } from "./changes-end-answers.ts";

/** What the cache of a route is made of. */
type AnswerCacheParts = AskedSettings & FetchParts & Readonly<{ flights: Flights<Landed> }>;

/** Makes the cache of a route: gives answers again, and has equal requests at the same time wait for one call. */
export function createAnswerCache(parts: AnswerCacheParts): Around {
  const { store, flights, freshness, changes, logger } = parts;
  const fetchOnce = createFetchAnswer(parts);
  const fetchAnswer: FetchAnswer = (call, ...others) => {
    call.asked.holdHeaders();
    const { asked, send } = call;
    const sendNoting: SendOn = (asker) => changes!.sendNoting(asked, () => send(asker), true);
    const noting = changes === undefined ? call : { ...call, send: sendNoting };
    return fetchOnce(revalidating(noting, freshness), ...others);
  };
  const fetchForAll = createFetchForAll(fetchAnswer, logger);
  const refreshBehind = createRefreshBehind({ flights, fetchForAll, logger });
  const fetchAlone = (call: FetchCall) => fetchAnswer(call, call.asked.exchange, nobodyWaits);

  return async function answerFromCache(outgoing, exchange, send) {
    // Most requests need not wait, and each wait takes as long as several of these steps.
    const reading = readAsked(outgoing, exchange, parts);
    const asked = reading instanceof Promise ? await reading : reading;
    if ("fwd" in asked) return pass({ outgoing, exchange }, asked, send);
    if (demandsNoStore(asked)) return pass(asked, demanded, send);
    const finding = findPlace(asked, store);
    const early = finding instanceof Promise ? flights.find(asked.name) : undefined;
    const place = finding instanceof Promise ? await finding : finding;
    // Whether the answer to a request with credentials is for others shows when it comes.
    if (!asked.mayBeShared(place.varies)) {
      refuseUncached(asked);
      const outcome = { result: "bypass", ...credentialsShown } as const;
      return fetchAlone({ asked, place: { ...place, kept: undefined }, send, conditions: undefined, outcome });
    }
    const conditions = takePreconditions(outgoing);
    const verdict = place.kept === undefined ? "ask" : freshness.judge(place.kept.head, asked);
    const call = { asked, place, send, conditions, outcome: presentMiss(place) };
    if (verdict === "behind") refreshBehind(call);
    if (place.kept !== undefined && verdict !== "ask")
      return answerFromKept(place.kept, asked, { conditions, outcome: "hit" });
    const ofGet = asked.isHead && demandsCached(asked) ? await findHeadOfGet(asked, parts) : undefined;
    if (ofGet !== undefined) return answerFromKept(ofGet, asked, { conditions, outcome: "hit" });
    refuseUncached(asked);
    const flight = findFlight(place, flights, place.name === asked.name ? early : undefined);
    if (flight === undefined) return fetchForAll(call, flights.begin(place));
    const landed = await flight.wait(exchange.cancellation);
    if (landed === undefined || !isFor(asked, landed)) return fetchAlone(call);
    return answerFromKept(landed.kept, asked, { conditions, outcome: { ...call.outcome, isCollapsed: true } });
  };

  async function pass(targeted: Targeted, reason: PassingReason, send: SendOn): Promise<UpstreamResponse> {
    refuseUncached(targeted);
    const { exchange } = targeted;
    const sent = changes === undefined ? send(exchange) : changes.sendNoting(targeted, () => send(exchange));
    return presentAnswer(ownAnswer(await sent), exchange, { result: "bypass", ...reason });
  }
}

/** A call that is under way; one that has landed while the store was asked has brought what the store did not know yet. */
function findFlight(
  { name, generation }: Place,
  flights: Flights<Landed>,
  early: Flight<Landed> | undefined,
): Flight<Landed> | undefined {
  return [flights.find(name), early].find((flight) => flight?.generation === generation);
}

const demanded = { fwd: "request" } as const;

const nobodyWaits = { arrive: nothing, land: nothing, end: nothing };

function nothing(): void {
  // Nobody is to be told.
}

/** Whether what has come for an equal request is what this one would get. */
function isFor(asked: Asked, { varies, ofFirst }: Landed): boolean {
  if (varies.length === 0) return true;
  const among = { varies, mark: "" };
  return asked.nameAmong(among) === ofFirst.nameAmong(among) && asked.mayBeShared(varies);
}
