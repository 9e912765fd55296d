import { createMemoryCounts, type MemoryCounts } from "../../stores/memory-counts.ts";
import type { SharedStore } from "../../stores/store-holder.ts";
import type { Taken, Taking } from "../../stores/store.ts";
import { isPromise } from "../../when-rejected.ts";
import type { storeFailures } from "./rate-limit-keys.ts";

/** Counts requests; undefined where nobody can tell whether there were too many. */
export type CountRequests = (
  takings: readonly Taking[],
) => readonly Taken[] | undefined | Promise<readonly Taken[] | undefined>;

/** How the limits of a gateway count, by what is done while the store is away. */
export type Counts = Readonly<Record<(typeof storeFailures)[number], CountRequests>>;

/** Makes the functions that count in a store. */
export function createCounts(store: SharedStore): Counts {
  let own: MemoryCounts | undefined;
  let ownMatters = 0;
  return { Count: countInAnyCase, Refuse: (takings) => store.take(takings) };

  function countInAnyCase(takings: readonly Taking[]): ReturnType<CountRequests> {
    const refused = findRefusal(takings);
    if (refused !== undefined) return refused;
    const taken = store.take(takings);
    if (isPromise(taken)) return taken.then((late) => late ?? countHere(takings));
    return taken ?? countHere(takings);
  }

  /** Who was refused while the store was away stays so until the time he was told. */
  function findRefusal(takings: readonly Taking[]): readonly Taken[] | undefined {
    if (own !== undefined && performance.now() > ownMatters) own = undefined;
    return own?.findRefusal(takings);
  }

  function countHere(takings: readonly Taking[]): readonly Taken[] {
    own ??= createMemoryCounts();
    const taken = own.take(takings);
    const last = Math.max(...taken.map(({ resetsIn }) => resetsIn));
    ownMatters = Math.max(ownMatters, performance.now() + last);
    return taken;
  }
}
