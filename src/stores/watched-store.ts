import { longestSpan, type Store, type Taken, type Taking } from "./store.ts";
import { isPromise } from "../when-rejected.ts";
import { createWatch, type Answer, type StoreTold } from "./store-away.ts";
import { watchEntries, type WatchedEntries } from "./watched-entries.ts";
import { timesLonger, usualSeconds } from "./store-time-limit.ts";

/** What of a store may be away by itself: where it counts, and where it keeps answers. */
export type StorePart = "counts" | "answers";

/** A store as a gateway asks it: whoever gets `undefined` learns that it is away. */
export type WatchedStore = Readonly<{
  take: (takings: readonly Taking[]) => Answer<readonly Taken[]>;
  /** The entries of the store, where it has any: while it is away, there are none. */
  entries: () => WatchedEntries | undefined;
  close: () => void;
}>;

// Never refused, so that each probe writes: a store that can only be read counts as away.
const probe: Taking = {
  route: "waymark:probe",
  group: "waymark:probe",
  client: "",
  quota: { limit: Number.MAX_SAFE_INTEGER, period: 1_000, wait: 0 },
  amount: 1,
};

/** Watches whether a store is there, so that no request waits for one that is not. */
export function watchStore(
  store: Store,
  told: (part: StorePart, ...change: Parameters<StoreTold>) => void,
): WatchedStore {
  const milliseconds = (store.timeout ?? usualSeconds) * 1_000;
  const counts = createWatch({
    milliseconds,
    probe: async () => requireTaken(await store.take([probe]), [probe]),
    told: (...change) => told("counts", ...change),
  });
  const answers =
    store.entries && watchEntries(store.entries, milliseconds * timesLonger, (...change) => told("answers", ...change));
  return {
    take: (takings) => counts.ask(() => whenThere(store.take(takings), (taken) => requireTaken(taken, takings))),
    entries: () => answers,
    close() {
      counts.close();
      answers?.close();
    },
  };
}

function whenThere<Value>(answer: Value | Promise<Value>, check: (value: Value) => Value): Value | Promise<Value> {
  return isPromise(answer) ? answer.then(check) : check(answer);
}

/** A list of what came of each taking, up to the first that refused; whatever else a store gives, it is away. */
function requireTaken(answer: unknown, takings: readonly Taking[]): readonly Taken[] {
  if (Array.isArray(answer) && answer.length > 0 && answer.every(isTaken)) {
    const isForEach = answer.length === takings.length;
    if (isForEach || (answer.length < takings.length && answer.at(-1)!.refusedFor !== undefined)) return answer;
  }
  throw new TypeError("It gave something else than a list of { remaining, refusedFor, resetsIn }.");
}

function isTaken(answer: unknown): answer is Taken {
  const { remaining, refusedFor, resetsIn } = (answer ?? {}) as Partial<Taken>;
  return isAmount(remaining) && (refusedFor === undefined || isAmount(refusedFor)) && isAmount(resetsIn);
}

/** Nobody could be told of any other number; what is left of the longest span is rounded, too. */
function isAmount(value: unknown): boolean {
  return typeof value === "number" && Math.abs(value) <= 2 * longestSpan;
}
