import { describeStore } from "../../stores/describe-store.ts";
import type { Telling } from "../telling.ts";
import { describeLimit, effectiveLimit, type RateLimit } from "./effective-limit.ts";

/** Tells how often the clients of a route may ask, and where they are counted. */
export const tellLimit: Telling = {
  name: "rate-limit",
  title: "how often",
  keys: ["RateLimitOptions"],
  tell(route, global) {
    const limit = effectiveLimit(route, global);
    if (limit === undefined) return undefined;
    const store = describeStore(global);
    return [
      describeLimit(limit),
      ...tellFree(limit),
      `who asks too often is answered ${limit.status}, with Retry-After`,
      `counted ${store ?? "in memory, by the workers of one program together, unless a store is given to it"}`,
      ...(store === undefined ? [] : [`while that is away: ${withoutStore[limit.onStoreFailure]}`]),
    ];
  },
};

const withoutStore: Readonly<Record<RateLimit["onStoreFailure"], string>> = {
  Count: "each process counts for itself",
  Refuse: "answered 503 (limit-unavailable)",
};

/** Their names are as good as keys: they are not told. */
function tellFree({ free }: RateLimit): readonly string[] {
  if (free.length === 0) return [];
  return [
    `${free.length} ${free.length === 1 ? "client" : "clients"} of ClientWhitelist may ask as often as they like`,
  ];
}
