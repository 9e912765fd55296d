import { type AnyResponse, toldLength } from "../../answers/upstream-response.ts";
import { knownLength } from "../../bodies/with-code/stream-for-gateway.ts";
import type { UpstreamResponse } from "../../delegating-handler.ts";
import type { MatchedExchange } from "../../exchange/matched-exchange.ts";
import type { Asked } from "./what-is-asked.ts";
import type { CacheSettings } from "./effective-cache.ts";
import type { Place } from "./find-kept-answer.ts";
import { toldAge } from "./kept-answer.ts";
import type { KeptHead } from "./kept-head.ts";
import { keptHeaders } from "./kept-headers.ts";
import type { Freshness } from "./freshness.ts";
import { isForbidden } from "./forbidden-to-keep.ts";
import { varyingNames, withEarlierNames } from "./vary-names.ts";

/** How an answer is to be kept. */
export type KeepingPlan = Readonly<{ head: KeptHead; milliseconds: number; varies: readonly string[] }>;

/** What was asked for, where the answer would stand, and by whom the service was asked. */
type Asking = Readonly<{ asked: Asked; place: Place; asker: MatchedExchange }>;

/** How the answers of a route are kept. */
type KeepingTerms = Readonly<{ settings: CacheSettings; freshness: Freshness; idHeader: string | undefined }>;

/** Decides how an answer is kept; undefined where it is for this client alone, or is not to be given again. */
export function planKeeping(
  answer: UpstreamResponse,
  { asked, place, asker }: Asking,
  { settings, freshness, idHeader }: KeepingTerms,
): KeepingPlan | undefined {
  const { status, statusText, headers } = answer;
  if (isFromElsewhere(asked, asker) || isForbidden(headers) || isTooLong(answer, settings)) return undefined;
  const lifetime = freshness.lifetimeOf(answer, asked);
  if (lifetime === undefined) return undefined;
  const { milliseconds, fresh, policy } = lifetime;
  const names = varyingNames(headers);
  if (names === undefined) return undefined;
  const varies = withEarlierNames(names, place.varies);
  if (!asked.mayBeShared(varies)) return undefined;
  const keptAt = Date.now();
  const told = asked.isHead ? (answer as AnyResponse)[toldLength]?.(status, true) : undefined;
  const head: KeptHead = {
    ...{ status, statusText, headers: keptHeaders(headers, idHeader), told, origin: asker.askedOrigin, keptAt },
    ...{ age: toldAge(headers), endsAt: keptAt + fresh, ...(policy && { policy }) },
  };
  return { head, milliseconds, varies };
}

/** Whether an answer has come from elsewhere than where all who ask the same would get theirs. */
function isFromElsewhere({ origin }: Asked, { wasRedirected, askedOrigin }: MatchedExchange): boolean {
  // The redirect may have been for one client alone, and what it said of that is gone.
  if (wasRedirected !== false) return true;
  // The host that was meant has refused, or failed: what another one answers is not what its clients get.
  return origin !== undefined && origin !== askedOrigin;
}

function isTooLong(answer: AnyResponse, { longestBody }: CacheSettings): boolean {
  const length = answer[knownLength];
  return length !== undefined && length > longestBody;
}
