import { after, listen, listenOnce } from "../../unattended/guarded.ts";
import type { Store } from "../store.ts";
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
export function connectRedis(config: RedisConfig): RedisConnection {
  const { Timeout: timeout } = config;
  const counts = createLine(config);
  // Counts would wait behind long answers: these have a connection of their own, once there are any.
  let answers: Line | undefined;
  const askEntries: Line["ask"] = (question) => (answers ??= createLine(config)).ask(question);
  return {
    begun: counts.begun,
    store: {
      take: (takings) => counts.ask((store) => store.take(takings)),
      entries: {
        get: (key) => askEntries(({ entries }) => entries!.get(key)),
        set: (...entry) => askEntries(({ entries }) => entries!.set(...entry)),
        increase: (key) => askEntries(({ entries }) => entries!.increase(key)),
      },
      ...(timeout === undefined ? {} : { timeout }),
    },
    close() {
      counts.close();
      answers?.close();
    },
  };
}

/** One connection, or the one that has come in its place. */
type Line = Readonly<{
  /** Resolves when it is connected for the first time, or with what kept it from that. */
  begun: Promise<Error | undefined>;
  ask: <Value>(question: (store: Store) => Value | Promise<Value>) => Promise<Value>;
  close: () => void;
}>;

function createLine(config: RedisConfig): Line {
  let present = open(config);
  const begun = firstOf(present.client);
  let troubledSince: number | undefined;
  return { begun, ask, close: () => end(present.client) };

  async function ask<Value>(question: (store: Store) => Value | Promise<Value>): Promise<Value> {
    if (!present.client.isReady) await begun;
    renewIfDeaf();
    troubledSince ??= performance.now();
    const answer = await question(present.store);
    troubledSince = undefined;
    return answer;
  }

  /** A connection whose other end has vanished without a word looks as if it were there for many minutes. */
  function renewIfDeaf(): void {
    if (troubledSince === undefined || performance.now() - troubledSince < longestTrouble) return;
    troubledSince = undefined;
    end(present.client);
    present = open(config);
  }
}

function open({
  Url: url,
  Prefix: prefix,
  Timeout: timeout,
}: RedisConfig): Readonly<{ client: OwnClient; store: Store }> {
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

function end(client: OwnClient): void {
  try {
    client.destroy();
  } catch {
    // One that has given up is closed already.
  }
}

function firstOf(client: OwnClient): Line["begun"] {
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
