import { after, listen, listenOnce } from "../../unattended/guarded.ts";
import type { Store, Taken, Taking } from "../store.ts";
import { loadRedis, type OwnClient } from "./load-redis.ts";
import type { RedisConfig } from "./redis-keys.ts";
import { redisStore } from "./redis-store.ts";

/** A store in Redis over a connection of the gateway's own. */
export type RedisConnection = Readonly<{
  store: Store;
  /** Resolves when it is connected for the first time, or with what kept it from that. */
  begun: Promise<Error | undefined>;
  close: () => void;
}>;

const connectMilliseconds = 2_000;
const beginMilliseconds = 3_000;
const shortestPause = 50;
const longestPause = 1_000;
const longestTrouble = 5_000;

/** Connects to Redis, and goes on trying for as long as it takes. */
export function connectRedis({ Url: url, Prefix: prefix, Timeout: timeout }: RedisConfig): RedisConnection {
  let line = open();
  const begun = firstOf(line.client);
  let troubledSince: number | undefined;
  const { store } = line;
  return {
    begun,
    store: { ...store, take, entries: entriesOf(() => line.store) },
    close: () => end(line),
  };

  async function take(takings: readonly Taking[]): Promise<readonly Taken[]> {
    if (!line.client.isReady) await begun;
    renewIfDeaf();
    troubledSince ??= performance.now();
    const taken = await line.store.take(takings);
    troubledSince = undefined;
    return taken;
  }

  /** A connection whose other end has vanished without a word looks as if it were there for many minutes. */
  function renewIfDeaf(): void {
    if (troubledSince === undefined || performance.now() - troubledSince < longestTrouble) return;
    troubledSince = undefined;
    end(line);
    line = open();
  }

  function open(): Line {
    const client = loadRedis().createClient({
      url,
      // What nobody waits for any more would be counted when the connection is back.
      disableOfflineQueue: true,
      socket: {
        connectTimeout: connectMilliseconds,
        reconnectStrategy: (retries) => Math.min(longestPause, shortestPause * 2 ** Math.min(retries, 10)),
      },
    });
    // Who asks learns that there is no connection.
    listen(client, "error", () => undefined);
    client.connect().catch(() => undefined);
    return { client, store: redisStore(client, { prefix, timeout }) };
  }
}

type Line = Readonly<{ client: OwnClient; store: Store }>;

function entriesOf(present: () => Store): NonNullable<Store["entries"]> {
  return {
    get: (key) => present().entries!.get(key),
    set: (...entry) => present().entries!.set(...entry),
    increase: (key) => present().entries!.increase(key),
  };
}

function end({ client }: Line): void {
  try {
    client.destroy();
  } catch {
    // One that has given up is closed already.
  }
}

function firstOf(client: OwnClient): RedisConnection["begun"] {
  return new Promise((resolve) => {
    const timer = after(beginMilliseconds, () =>
      resolve(new Error(`no answer within ${beginMilliseconds} ms`)),
    ).unref();
    listenOnce(client, "ready", () => settle());
    listenOnce(client, "error", settle);

    function settle(error?: Error): void {
      clearTimeout(timer);
      resolve(error);
    }
  });
}
