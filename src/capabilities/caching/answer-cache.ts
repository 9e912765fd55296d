import type { UpstreamResponse } from "../../delegating-handler.ts";
import type { Answering } from "../../forwarding/surround.ts";
import type { Around, SendOn } from "../capability.ts";
import { type AskingServiceParts, createAskService } from "./ask-service-once-for-all.ts";
import { type Asked, readAsked } from "./what-is-asked.ts";
import { answerFromKept, presentAnswer, presentMiss } from "./present-answer.ts";
import { credentialsShown } from "./shown-credentials.ts";
import type { PassingReason } from "./bypass-reason.ts";
import type { Landed } from "./fetch-answer.ts";
import { demandsNoStore, refuseUncached } from "./client-demands.ts";
import { findPlace, type Place } from "./find-kept-answer.ts";
import type { Flight } from "./wait-for-one-call.ts";
import { takePreconditions } from "./preconditions.ts";
import type { Targeted } from "./changes-end-answers.ts";

/** Makes the cache of a route: gives answers again, and has equal requests at the same time wait for one call. */
export function createAnswerCache(parts: AskingServiceParts): Around {
  const { store, flights, freshness, changes, hasCodeBehind } = parts;
  const { ask, askAlone, refreshBehind } = createAskService(parts);

  // An answer that is there already is given at once: each wait takes as long as several of these steps.
  return function answerFromCache(outgoing, exchange, send) {
    const asked = readAsked(outgoing, exchange, parts);
    if (asked instanceof Promise) return asked.then((read) => answer({ outgoing, exchange }, read, send));
    return answer({ outgoing, exchange }, asked, send);
  };

  function answer(targeted: Targeted, asked: Asked | PassingReason, send: SendOn): Answering {
    if ("fwd" in asked) return pass(targeted, asked, send);
    if (demandsNoStore(asked)) return pass(targeted, demanded, send);
    const place = findPlace(asked, store);
    if (!(place instanceof Promise)) return answerAt(place, asked, { send, early: undefined });
    const early = flights.find(asked.name);
    return place.then((found) => answerAt(found, asked, { send, early }));
  }

  function answerAt(place: Place, asked: Asked, { send, early }: Sending): Answering {
    // Whether the answer to a request with credentials is for others shows when it comes.
    if (!asked.mayBeShared(place.varies)) {
      refuseUncached(asked);
      const outcome = { result: "bypass", ...credentialsShown } as const;
      return askAlone({ asked, place: { ...place, kept: undefined }, send, conditions: undefined, outcome });
    }
    const conditions = takePreconditions(asked.outgoing);
    const { kept } = place;
    const verdict = kept === undefined ? "ask" : freshness.judge(kept.head, asked);
    if (kept !== undefined && verdict === "fresh") return answerFromKept(kept, asked, { conditions, outcome: "hit" });
    const call = { asked, place, send, conditions, outcome: presentMiss(place) };
    // Behind its answer a client is gone, to whose request and response the code holds.
    if (kept === undefined || verdict === "ask" || hasCodeBehind) return ask(call, early);
    refreshBehind(call);
    return answerFromKept(kept, asked, { conditions, outcome: "hit" });
  }

  async function pass(targeted: Targeted, reason: PassingReason, send: SendOn): Promise<UpstreamResponse> {
    refuseUncached(targeted);
    const { exchange } = targeted;
    const sent = changes === undefined ? send(exchange) : changes.sendNoting(targeted, () => send(exchange));
    return presentAnswer(await sent, exchange, { result: "bypass", ...reason });
  }
}

/** How a request is sent, and the call for an equal one that was under way before the store was asked. */
type Sending = Readonly<{ send: SendOn; early: Flight<Landed> | undefined }>;

const demanded = { fwd: "request" } as const;
