import type { Entries, Store, Taken, Taking } from "./store.ts";
import { createWatch, type Answer, type StoreTold } from "./watch.ts";

/** A store as a gateway asks it: whoever gets `undefined` learns that it is away. */
export type WatchedStore = Readonly<{
  take: (takings: readonly Taking[]) => Answer<readonly Taken[]>;
  /** The entries of the store, where it has any: while it is away, there are none. */
  entries: () => WatchedEntries | undefined;
  close: () => void;
}>;

/** Entries that nobody waits for: away, and not there, are the same. */
export type WatchedEntries = Readonly<{
  get: (key: string) => Answer<Buffer>;
  set: (...entry: Parameters<Entries["set"]>) => void;
  increase: (key: string) => Answer<number>;
}>;

const usualSeconds = 0.05;

// Never refused, so that each probe writes: a store that can only be read counts as away.
const probe: Taking = {
  route: "waymark:probe",
  group: "waymark:probe",
  client: "",
  quota: { limit: Number.MAX_SAFE_INTEGER, period: 1_000, wait: 0 },
  amount: 1,
};

/** Watches whether a store is there, so that no request waits for one that is not. */
export function watchStore(store: Store, told: StoreTold): WatchedStore {
  const watch = createWatch({
    milliseconds: (store.timeout ?? usualSeconds) * 1_000,
    probe: async () => requireTaken(await store.take([probe])),
    told,
  });
  const entries = store.entries && watchEntries(store.entries);
  return {
    take: (takings) => watch.ask(() => whenThere(store.take(takings), requireTaken)),
    entries: () => entries,
    close: watch.close,
  };

  function watchEntries({ get, set, increase }: Entries): WatchedEntries {
    return {
      get: (key) => watch.ask(() => get(key)),
      set: (...entry) => void watch.ask(() => set(...entry)),
      increase: (key) => watch.ask(() => increase(key)),
    };
  }
}

function whenThere<Value>(answer: Value | Promise<Value>, check: (value: Value) => Value): Value | Promise<Value> {
  return answer instanceof Promise ? answer.then(check) : check(answer);
}

function requireTaken(answer: unknown): readonly Taken[] {
  if (Array.isArray(answer) && answer.length > 0 && answer.every(isTaken)) return answer;
  throw new TypeError("It gave something else than a list of { remaining, refusedFor, resetsIn }.");
}

function isTaken(answer: unknown): answer is Taken {
  const { remaining, refusedFor, resetsIn } = (answer ?? {}) as Partial<Taken>;
  const isRefusal = refusedFor === undefined || typeof refusedFor === "number";
  return typeof remaining === "number" && isRefusal && typeof resetsIn === "number";
}
