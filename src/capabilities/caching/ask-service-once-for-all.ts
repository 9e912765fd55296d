import type { UpstreamResponse } from "../../delegating-handler.ts";
import type { SendOn } from "../capability.ts";
import type { Asked, AskedSettings } from "./what-is-asked.ts";
import { answerFromKept, presentMiss } from "./present-answer.ts";
import { createFetchAnswer, type FetchAnswer, type FetchCall, type FetchParts, type Landed } from "./fetch-answer.ts";
import { createFetchForClient } from "./end-with-client.ts";
import { createFetchForAll } from "./go-on-without-client.ts";
import { demandsCached, refuseUncached } from "./client-demands.ts";
import { findHeadOfGet } from "./find-head-of-get.ts";
import type { Place } from "./find-kept-answer.ts";
import type { Flight, Flights } from "./wait-for-one-call.ts";
import { createRefreshBehind } from "./stale-while-revalidate.ts";
import { revalidating } from "./revalidate-or-stale-if-error.ts";

/** What the cache of a route is made of. */
export type AskingServiceParts = AskedSettings & FetchParts & Readonly<{ flights: Flights<Landed> }>;

/** The ways in which a service is asked for what no kept answer fits. */
type AskService = Readonly<{
  /** Asks once for all who want the same at this time; a call that was under way before the store was asked counts. */
  ask: (call: FetchCall, early: Flight<Landed> | undefined) => Promise<UpstreamResponse>;
  /** Asks for one client alone. */
  askAlone: (call: FetchCall) => Promise<UpstreamResponse>;
  /** Asks for nobody: the client gets what is kept. */
  refreshBehind: (call: FetchCall) => void;
}>;

/** Prepares how the service of a route is asked, and its answers are kept. */
export function createAskService(parts: AskingServiceParts): AskService {
  const { flights, freshness, changes, logger, hasCodeBehind } = parts;
  const fetchOnce = createFetchAnswer(parts);
  const fetchAnswer: FetchAnswer = (call, ...others) => {
    call.asked.holdHeaders();
    const { asked, send } = call;
    const sendNoting: SendOn = (asker) => changes!.sendNoting(asked, () => send(asker), true);
    const noting = changes === undefined ? call : { ...call, send: sendNoting };
    return fetchOnce(revalidating(noting, freshness, hasCodeBehind), ...others);
  };
  const fetchForAll = createFetchForAll(fetchAnswer, logger);
  const begin = hasCodeBehind ? createFetchForClient(fetchAnswer) : fetchForAll;
  return { ask, askAlone, refreshBehind: createRefreshBehind({ flights, fetchForAll, logger }) };

  function askAlone(call: FetchCall): Promise<UpstreamResponse> {
    return fetchAnswer(call, call.asked.exchange, nobodyWaits);
  }

  async function ask(call: FetchCall, early: Flight<Landed> | undefined): Promise<UpstreamResponse> {
    const { asked, place, conditions } = call;
    const ofGet = asked.isHead && demandsCached(asked) ? await findHeadOfGet(asked, parts) : undefined;
    if (ofGet !== undefined) return answerFromKept(ofGet, asked, { conditions, outcome: "hit" });
    refuseUncached(asked);
    const flight = findFlight(place, flights, place.name === asked.name ? early : undefined);
    if (flight === undefined) return begin(call, flights.begin(place));
    const landed = await flight.wait(asked.exchange.cancellation);
    if (landed === undefined || !isFor(asked, landed)) return askAlone(call);
    return answerFromKept(landed.kept, asked, { conditions, outcome: { ...presentMiss(place), isCollapsed: true } });
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
