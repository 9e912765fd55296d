import { describeStore } from "../../stores/describe-store.ts";
import type { Telling } from "../telling.ts";
import { type CacheSettings, describeCache, effectiveCache } from "./effective-cache.ts";

/** Tells how long answers of a route are kept, for whom, and where. */
export const tellCache: Telling = {
  name: "cache",
  title: "cached",
  keys: ["CacheOptions"],
  tell(route, global) {
    const settings = effectiveCache(route, global);
    if (settings === undefined) return undefined;
    const store = describeStore(global);
    return [
      describeCache(route, global)!,
      `answers up to ${settings.longestBody} bytes; errors for at most ${settings.errorTtl / 1_000} s`,
      ...tellHandlers(settings, route.DelegatingHandlers),
      `kept ${store ?? "in memory, unless a store is given to the program"}`,
      ...(store === undefined ? [] : ["while that is away: nothing is cached"]),
    ];
  },
};

function tellHandlers({ beforeHandlers }: CacheSettings, names: readonly string[] | undefined): readonly string[] {
  if (beforeHandlers)
    return ["what delegating handlers make is given to all who ask the same, and they do not run for it"];
  return (names ?? []).length > 0 ? ["delegating handlers run for answers from the cache, too"] : [];
}
