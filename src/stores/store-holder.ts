import { isDeepStrictEqual } from "node:util";
import type { Logger } from "../logging/logger.ts";
import type { TellChange } from "../observing/gateway-changes.ts";
import { connectRedis, type RedisConnection } from "./redis/connect-redis.ts";
import { loadRedis } from "./redis/load-redis.ts";
import type { RedisConfig } from "./redis/redis-keys.ts";
import type { Store } from "./store.ts";
import { type StorePart, watchStore, type WatchedStore } from "./watched-store.ts";

/** The store of a gateway: it stays the same while a reload puts another one behind it. */
export type SharedStore = Omit<WatchedStore, "close">;

/** What a gateway finds where it runs: the store that holds where nobody says anything, and another address of Redis. */
export type StoreSurroundings = Readonly<{ usual: Store; redisUrl?: string | undefined }>;

type HolderParts = StoreSurroundings &
  Readonly<{
    /** The user's own: nothing replaces it. */
    given: Store | undefined;
    tell: TellChange;
    logger: Logger;
  }>;

/** Holds the store of a gateway. */
export type StoreHolder = Readonly<{
  store: SharedStore;
  /** Prepares what a configuration says of Redis; the function that comes back puts it into force, and cannot fail. */
  prepare: (redis: RedisConfig | undefined) => () => void;
  /** Resolves when the connection to Redis was tried for the first time, where there is one. */
  begun: () => Promise<unknown>;
  /** Which store is in force, in words, and whether it is away. */
  place: () => StorePlace;
  close: () => void;
}>;

/** Where counts live. */
type StorePlace = Readonly<{ name: string; isAway: boolean }>;

/** Makes the holder of a gateway's store. */
export function createStoreHolder({ given, usual, redisUrl, tell, logger }: HolderParts): StoreHolder {
  let settings: RedisConfig | undefined;
  let connection: RedisConnection | undefined;
  const away = new Set<StorePart>();
  let held = given ?? usual;
  let present = watchStore(held, told);
  return {
    store: { take: (takings) => present.take(takings), entries: () => present.entries() },
    prepare,
    begun: () => connection?.begun ?? Promise.resolve(),
    place: () => ({ name: held.name ?? "the store of the option", isAway: away.has("counts") }),
    close,
  };

  function prepare(redis: RedisConfig | undefined): () => void {
    const next = effectiveRedis(redis, redisUrl);
    if (given !== undefined || isDeepStrictEqual(next, settings)) return () => undefined;
    if (next !== undefined) loadRedis();
    return function settle() {
      close();
      for (const part of away) told(part, "there");
      settings = next;
      connection = next && connectRedis(next);
      held = connection?.store ?? usual;
      present = watchStore(held, told);
    };
  }

  function close(): void {
    present.close();
    connection?.close();
  }

  function told(part: StorePart, state: "away" | "there", error?: unknown): void {
    const { name, lost, back } = partTexts[part];
    if (state === "away") {
      away.add(part);
      logger.warn({ err: error }, lost);
    } else {
      away.delete(part);
      logger.info({}, back);
    }
    tell({ kind: "store", state, name });
  }
}

/** How the parts of a store are told of. */
const partTexts = {
  counts: {
    name: "store",
    lost: "The store is away: until it is back, each process is on its own.",
    back: "The store is back.",
  },
  answers: {
    name: "cache",
    lost: "The store of cached answers is away: until it is back, nothing is cached.",
    back: "The store of cached answers is back.",
  },
} as const satisfies Readonly<Record<StorePart, object>>;

/** What holds of Redis where another address was given than the configuration's. */
export function effectiveRedis(redis: RedisConfig | undefined, url: string | undefined): RedisConfig | undefined {
  return url === undefined ? redis : { ...redis, Url: url };
}
