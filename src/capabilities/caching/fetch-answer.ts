import type { UpstreamResponse } from "../../delegating-handler.ts";
import type { MatchedExchange } from "../../exchange/matched-exchange.ts";
import { outlast } from "../../bodies/with-code/outlast-exchange.ts";
import type { Logger } from "../../logging/logger.ts";
import type { AnswerStore } from "../../stores/answer-store.ts";
import { attempt } from "../../unattended/attempt.ts";
import type { SendOn } from "../capability.ts";
import type { Asked, AskedSettings } from "./what-is-asked.ts";
import type { CacheOutcome } from "./cache-status.ts";
import { type Collected, collectAnswer } from "./collect-answer.ts";
import { createCollection } from "./collected-pieces.ts";
import type { Place } from "./find-kept-answer.ts";
import type { Freshness } from "./freshness.ts";
import { forgetAnswer, storeAnswer } from "./store-answer.ts";
import { type KeepingPlan, planKeeping } from "./whether-to-keep.ts";
import type { Kept } from "./kept-answer.ts";
import { hasAlready, notModified, type Preconditions } from "./preconditions.ts";
import { madeByService, type Making, watchCode } from "./made-by-code.ts";
import { presentAnswer } from "./present-answer.ts";
import type { ByteRoom } from "../../bodies/pieces/byte-room.ts";
import { isForbidden } from "./forbidden-to-keep.ts";

/** A request that the service is asked for. */
export type FetchCall = Readonly<{
  asked: Asked;
  place: Place;
  send: SendOn;
  conditions: Preconditions | undefined;
  outcome: CacheOutcome;
}>;

/** What came of a call for all who wait: an answer, by which headers it differs from others, and who asked first. */
export type Landed = Readonly<{ kept: Kept; varies: readonly string[]; ofFirst: Asked }>;

/** What becomes of a call besides its answer: who is told of it, and what to do when nothing more is to come. */
type Ends = Readonly<{
  /** The service has given its answer as a whole; what is left to do is to keep it. */
  arrive: () => void;
  land: (landed: Landed | undefined) => void;
  end: () => void;
}>;

/** How an answer is to be kept, unless more of its making than its head speaks against that. */
type Planned = Readonly<{ plan: KeepingPlan; making: Making }>;

/** Asks the service for somebody, and keeps the answer if it may be. */
export type FetchAnswer = (call: FetchCall, asker: MatchedExchange, ends: Ends) => Promise<UpstreamResponse>;

/**
 * What is collected until it can be kept, and what waits for clients behind that: a client that does not read leaves room
 * for what others ask for.
 */
export type Rooms = Readonly<{ collected: ByteRoom; waiting: ByteRoom }>;

/** What it takes to ask a service and to keep its answers. */
export type FetchParts = Pick<AskedSettings, "settings" | "idHeader" | "hasCodeBehind"> &
  Readonly<{
    freshness: Freshness;
    store: AnswerStore;
    rooms: Rooms;
    logger: Logger;
  }>;

/** Prepares how the service of a route is asked, and its answers kept. */
export function createFetchAnswer(parts: FetchParts): FetchAnswer {
  const { settings, store, rooms, logger, hasCodeBehind } = parts;
  return async function fetchAnswer(call, asker, ends) {
    const { asked, place, send, outcome } = call;
    const { exchange } = asked;
    const making = hasCodeBehind ? watchCode(exchange, asker.cancellation) : madeByService;
    const upstream = await send(asker);
    noteWhoAnswered(exchange, asker);
    // Kept anew, what is given in place of a failure would seem younger than it is.
    const isOld = outcome.result === "miss" && outcome.isForFailure === true;
    const plan = isOld || !making.isForOthers() ? undefined : planKeeping(upstream, { asked, place, asker }, parts);
    if (isOld) ends.land({ kept: place.kept!, varies: place.varies, ofFirst: asked });
    else if (plan === undefined) {
      if (place.kept !== undefined && isForbidden(upstream.headers)) await guarded(() => forgetAnswer(place, store));
      ends.land(undefined);
    }
    const collected = plan && collect(upstream, { plan, making }, call, ends);
    return presentFetched(collected ?? { answer: upstream }, call, upstream.status);
  };

  function collect(upstream: UpstreamResponse, { plan, making }: Planned, call: FetchCall, ends: Ends): Collected {
    const { asked } = call;
    const collected = collectAnswer(upstream, asked.isHead, {
      collection: createCollection(settings.longestBody, rooms.collected, making.isStillForOthers),
      waiting: rooms.waiting,
      complete(body) {
        if (!making.isStillForOthers()) {
          ends.land(undefined);
          return;
        }
        ends.arrive();
        const landed = { kept: { head: plan.head, body }, varies: plan.varies, ofFirst: asked };
        void keep(landed, plan, call).then(() => {
          ends.land(landed);
          ends.end();
        });
      },
      incomplete: () => ends.land(undefined),
    });
    outlast(asked.exchange).onCancel(collected.leaveClient);
    return collected;
  }

  /** What cannot be kept is not; those who wait for it have it all the same. */
  async function keep({ kept, varies }: Landed, { milliseconds }: KeepingPlan, { asked, place }: FetchCall) {
    const where = { generation: place.generation, milliseconds, varies };
    await guarded(() => storeAnswer(kept, asked, where, store));
  }

  async function guarded(change: () => Promise<void>): Promise<void> {
    await attempt({ logger, failure: "The cache of answers could not be changed." }, change)?.catch(nothing);
  }
}

/** A call that others share is made in place of the client's. */
function noteWhoAnswered(exchange: MatchedExchange, { askedOrigin, hostCookie }: MatchedExchange): void {
  exchange.askedOrigin = askedOrigin;
  exchange.hostCookie = hostCookie;
}

/** An answer that has come for a client, as it gets it. */
function presentFetched(
  { answer, isCollected: isStored, leaveClient }: Pick<Collected, "answer"> & Partial<Collected>,
  { asked: { exchange }, conditions, outcome }: FetchCall,
  fwdStatus: number,
): UpstreamResponse {
  const told = outcome.result === "miss" ? { ...outcome, isStored } : outcome;
  if (!hasAlready(conditions, answer)) return presentAnswer(answer, exchange, told);
  const short = withoutBody(answer, leaveClient);
  return presentAnswer(short, exchange, told.result === "miss" ? { fwdStatus, ...told } : told);
}

/** What a client is told that has the answer already; an answer that nobody keeps is not read to its end. */
function withoutBody(answer: UpstreamResponse, leaveClient: (() => void) | undefined): UpstreamResponse {
  const short = notModified(answer);
  if (leaveClient === undefined) answer.body = null;
  else leaveClient();
  return short;
}

function nothing(): void {
  // It has been logged already.
}
