import { hash } from "node:crypto";
import {
  addCount,
  type CountPlace,
  createCountedClients,
  findCount,
  groupOf,
  keepRefused,
  lookUpCount,
} from "./counted-clients.ts";
import { beginCount, describeCount, takeOne } from "./period-and-wait.ts";
import type { Taken, Taking } from "./store.ts";

/** Counts of this process alone. */
export type MemoryCounts = Readonly<{
  take: (takings: readonly Taking[]) => readonly Taken[];
  /** What `take` would say, where it refuses a client that has a count of its own; nothing is counted. */
  findRefusal: (takings: readonly Taking[]) => readonly Taken[] | undefined;
}>;

/** How many clients are counted at the same time, unless a store is told otherwise. */
const usualClients = 100_000;

/** What {@link createMemoryCounts} takes. */
type MemoryCountsOptions = Readonly<{ clients?: number; now?: () => number }>;

/** Makes counts whose memory is bounded, however many names clients think up. */
export function createMemoryCounts({
  clients: most = usualClients,
  now: readClock = () => performance.now(),
}: MemoryCountsOptions = {}): MemoryCounts {
  const clients = createCountedClients(most);
  return { take, findRefusal };

  function take(takings: readonly Taking[]): readonly Taken[] {
    const now = readClock();
    const [only] = takings;
    // What is usual is made whole: a list that grows takes room for many at its first entry.
    if (only !== undefined && takings.length === 1) return [takeOf(only, now)];
    const taken: Taken[] = [];
    for (const taking of takings) {
      const found = takeOf(taking, now);
      taken.push(found);
      if (found.refusedFor !== undefined) break;
    }
    return taken;
  }

  function takeOf(taking: Taking, now: number): Taken {
    const { quota, amount } = taking;
    const place = placeOf(taking, now);
    if (amount === 0) return describeCount(lookUpCount(clients, place), now, quota);
    const count = findCount(clients, place) ?? addCount(clients, place);
    takeOne(count, now, quota);
    if (count.isRefused) keepRefused(place, count);
    return describeCount(count, now, quota);
  }

  function findRefusal(takings: readonly Taking[]): readonly Taken[] | undefined {
    const now = readClock();
    const found: Taken[] = [];
    for (const taking of takings) {
      const { quota } = taking;
      const count = findCount(clients, placeOf(taking, now)) ?? beginCount(now, quota);
      found.push(describeCount(count, now, quota));
      if (count.isRefused) return found;
    }
    return undefined;
  }

  function placeOf({ group, client, quota }: Taking, now: number): CountPlace {
    return { group: groupOf(clients, group), key: keyOf(client), now, quota };
  }
}

/** The letters of a digest; a name that is shorter stands for itself, and can never be somebody's digest. */
const digestLetters = 32;

/** Names may be as long as a header: of each only this much is kept. */
function keyOf(client: string): string {
  return client.length < digestLetters ? client : hash("sha256", client, "buffer").toString("latin1");
}
