import type { Logger } from "../logging/logger.ts";
import type { TellChange } from "../observing/changes.ts";
import type { Store } from "./store.ts";
import { watchStore, type WatchedStore } from "./watched-store.ts";

/** The store of a gateway: it stays the same while a reload puts another one behind it. */
export type SharedStore = Omit<WatchedStore, "close">;

type HolderParts = Readonly<{
  /** The user's own: nothing replaces it. */
  given: Store | undefined;
  /** What there is where nobody says anything. */
  usual: Store;
  tell: TellChange;
  logger: Logger;
}>;

/** Holds the store of a gateway. */
export type StoreHolder = Readonly<{ store: SharedStore; close: () => void }>;

/** Makes the holder of a gateway's store. */
export function createStoreHolder({ given, usual, tell, logger }: HolderParts): StoreHolder {
  const present = watchStore(given ?? usual, told);
  return {
    store: { take: (takings) => present.take(takings), entries: () => present.entries() },
    close: () => present.close(),
  };

  function told(state: "away" | "there", error?: unknown): void {
    if (state === "away")
      logger.warn({ err: error }, "The store is away: until it is back, each process is on its own.");
    else logger.info({}, "The store is back.");
    tell({ kind: "store", state, name: "store" });
  }
}
