import type { UpstreamResponse } from "../../delegating-handler.ts";
import type { MatchedExchange } from "../../exchange/matched-exchange.ts";
import type { Asked } from "./what-is-asked.ts";
import { type CacheOutcome, type Miss, tellOutcome } from "./cache-status.ts";
import type { Place } from "./find-kept-answer.ts";
import { ageOf, type Kept, toAnswer } from "./kept-answer.ts";
import type { KeptHead } from "./kept-head.ts";
import { hasAlready, notModified, type Preconditions } from "./preconditions.ts";

/** What a request asked for on a condition, and what the cache has done for it; a plain hit is told as it is. */
type Presenting = Readonly<{ conditions: Preconditions | undefined; outcome: CacheOutcome | "hit" }>;

/** An answer as the client gets it: with what the cache has done. */
export function presentAnswer(
  answer: UpstreamResponse,
  { observation }: Pick<MatchedExchange, "observation">,
  outcome: CacheOutcome,
): UpstreamResponse {
  observation?.cached(outcome.result);
  tellOutcome(answer.headers, outcome);
  return answer;
}

/** Gives a kept answer to a client; who has it already is told so. */
export function answerFromKept(
  kept: Kept,
  { exchange, isHead }: Asked,
  { conditions, outcome }: Presenting,
): UpstreamResponse {
  const { head } = kept;
  exchange.askedOrigin = head.origin;
  const age = ageOf(head);
  const whole = toAnswer(kept, isHead, age);
  const answer = hasAlready(conditions, whole) ? notModified(whole) : whole;
  return presentAnswer(answer, exchange, outcome === "hit" ? { result: "hit", ttl: leftOf(head, age) } : outcome);
}

function leftOf({ endsAt, keptAt, age: ageThen }: KeptHead, age: number): number {
  return endsAt - keptAt - (age - ageThen);
}

/** Why a request that may be answered from the cache was not: nothing stood there, or nothing for such headers. */
export function presentMiss({ kept, varies }: Place): Miss {
  if (kept !== undefined) return { result: "miss", fwd: "stale" };
  return { result: "miss", fwd: varies.length === 0 ? "uri-miss" : "vary-miss" };
}
