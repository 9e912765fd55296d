import type { Entries } from "./store.ts";
import { groupOfAll } from "./answer-store.ts";
import { createWatch, type Answer, type StoreTold } from "./store-away.ts";
import { createOwedEnds } from "./end-answers-when-store-is-back.ts";

/** What stands under a key, if anything does: a store of the user's may give anything. */
type FoundEntry = Readonly<{ entry: unknown }>;

/** Entries that nobody waits for. */
export type WatchedEntries = Readonly<{
  /** Looks for an entry; undefined where nobody can tell whether there is one. */
  get: (key: string) => Answer<FoundEntry>;
  set: (...entry: Parameters<Entries["set"]>) => void;
  increase: (key: string) => Answer<number>;
  /** Ends the generation of all answers: at once, or as soon as the store is back; until then nobody can tell what is kept. */
  endAll: () => void;
  close: () => void;
}>;

// What a store that takes nothing any more may keep waiting in this process.
const mostWaitingBytes = 67_108_864;

/** Watches entries by themselves: what keeps them waiting keeps nobody from being counted. */
export function watchEntries({ get, set, increase }: Entries, milliseconds: number, told: StoreTold): WatchedEntries {
  const watch = createWatch({
    milliseconds,
    probe: async () => set("waymark:cache:probe", noBytes, 1_000),
    told(...change) {
      told(...change);
      if (change[0] === "there") ends.settle();
    },
  });
  const ends = createOwedEnds(() => watch.ask(() => increaseSum(groupOfAll)));
  let waitingBytes = 0;
  return {
    get: (key) => (ends.areOwed() ? undefined : watch.ask(async () => ({ entry: await get(key) }))),
    set: (...entry) => void keep(...entry),
    increase: (key) => watch.ask(() => increaseSum(key)),
    endAll: ends.owe,
    close: watch.close,
  };

  async function increaseSum(key: string): Promise<number> {
    return requireSum(await increase(key));
  }

  async function keep(...[key, entry, lifetime]: Parameters<Entries["set"]>): Promise<void> {
    if (waitingBytes + entry.length > mostWaitingBytes) return;
    waitingBytes += entry.length;
    await watch.send(() => set(key, entry, lifetime));
    waitingBytes -= entry.length;
  }
}

/** What else a store gives, it is away: nobody would know what was thrown away. */
function requireSum(sum: unknown): number {
  if (Number.isSafeInteger(sum)) return sum as number;
  throw new TypeError("It gave something else than the sum of a number and 1.");
}

const noBytes = Buffer.alloc(0);
