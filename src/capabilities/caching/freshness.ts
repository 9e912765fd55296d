import type { UpstreamResponse } from "../../delegating-handler.ts";
import { longestTime } from "./kept-statuses-and-times.ts";
import type { Asked } from "./what-is-asked.ts";
import { readDirectives, readSeconds } from "./cache-control.ts";
import type { CacheSettings } from "./effective-cache.ts";
import { ageOf } from "./kept-answer.ts";
import type { KeptHead } from "./kept-head.ts";

/** What may be done with a kept answer: given as it is, given while the service is asked behind it, or asked for first. */
export type Verdict = "fresh" | "behind" | "ask";

/** How long an answer is kept, and how much of that it is fresh; milliseconds. */
export type Lifetime = Readonly<{ milliseconds: number; fresh: number; policy?: object }>;

/** Who decides how long answers may be given again. */
export type Freshness = Readonly<{
  /** Undefined where an answer is not to be kept. */
  lifetimeOf: (answer: UpstreamResponse, asked: Asked) => Lifetime | undefined;
  judge: (head: KeptHead, asked: Asked) => Verdict;
  /** What a service is told that may know that its answer still holds. */
  validatorsOf: (head: KeptHead) => Readonly<Record<string, string>>;
  /** Whether an answer that is not fresh any more is better than an error. */
  survivesErrors: (head: KeptHead) => boolean;
}>;

/** The configuration decides: an answer is fresh as long as it is kept. */
export function createTtlFreshness(settings: CacheSettings): Freshness {
  return { lifetimeOf, judge, validatorsOf: () => none, survivesErrors: () => false };

  function lifetimeOf({ status }: UpstreamResponse): Lifetime | undefined {
    const milliseconds = longestTime(status, settings);
    return milliseconds > 0 ? { milliseconds, fresh: milliseconds } : undefined;
  }

  function judge(head: KeptHead, { exchange, outgoing }: Asked): Verdict {
    if (!exchange.peerIsTrusted) return "fresh";
    const directives = readDirectives(outgoing.headers["cache-control"] ?? outgoing.headers.pragma);
    if (directives.has("no-cache")) return "ask";
    const oldest = readSeconds(directives, "max-age");
    return oldest === undefined || ageOf(head) < oldest * 1_000 ? "fresh" : "ask";
  }
}

const none = {};
