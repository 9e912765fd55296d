import { createClient, createClientPool, createCluster } from "@redis/client";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { Cluster, Redis } from "ioredis";
import type { Store, Taking } from "../../src/index.ts";
import { type RedisClient, redisStore } from "../../src/redis.ts";
import { describeWithRedis, type RunningRedis, startClusterNode, startRedis } from "../helpers/redis.ts";

type Connected = Readonly<{ client: RedisClient; end: () => unknown }>;

let redis: RunningRedis;
let clustered: RunningRedis;

/** Every kind of client, and whether it is for a cluster. */
const clients: [kind: string, connect: () => Promise<Connected>, isCluster?: true][] = [
  [
    "a client of @redis/client",
    async () => {
      const client = await createClient({ url: redis.url }).connect();
      return { client, end: () => client.destroy() };
    },
  ],
  [
    "a client of @redis/client that speaks the older protocol",
    async () => {
      const client = await createClient({ url: redis.url, RESP: 2 }).connect();
      return { client, end: () => client.destroy() };
    },
  ],
  [
    "a pool of @redis/client",
    async () => {
      const client = createClientPool({ url: redis.url });
      await client.connect();
      return { client, end: () => client.close() };
    },
  ],
  [
    "a cluster of @redis/client",
    async () => {
      const client = await createCluster({ rootNodes: [{ url: clustered.url }] }).connect();
      return { client, end: () => client.destroy() };
    },
    true,
  ],
  [
    "a client of ioredis",
    async () => {
      const client = new Redis(redis.port, { lazyConnect: true });
      await client.connect();
      return { client, end: () => client.disconnect() };
    },
  ],
  [
    "a cluster of ioredis",
    async () => {
      const client = new Cluster([{ host: "127.0.0.1", port: clustered.port }], { lazyConnect: true });
      await client.connect();
      return { client, end: () => client.disconnect() };
    },
    true,
  ],
];

function taking(more: Partial<Taking> & { limit?: number; wait?: number; period?: number } = {}): Taking {
  const { limit = 2, wait = 0, period = 60_000, ...rest } = more;
  return { route: "shop:rate:orders", group: "a", client: "anna", quota: { limit, period, wait }, amount: 1, ...rest };
}

async function leftAfter(store: Store, takings: readonly Taking[]): Promise<(number | "refused")[]> {
  const taken = await store.take(takings);
  return taken.map(({ remaining, refusedFor }) => (refusedFor === undefined ? remaining : "refused"));
}

describeWithRedis("a store in Redis", () => {
  beforeAll(async () => {
    [redis, clustered] = await Promise.all([startRedis(), startClusterNode()]);
  });

  afterAll(async () => {
    await Promise.all([redis.close(), clustered.close()]);
  });

  describe.each(clients)("over %s", (_kind, connect, isCluster) => {
    let connected: Connected;
    let admin: Redis;
    let store: Store;

    beforeAll(async () => {
      connected = await connect();
      admin = new Redis(isCluster === true ? clustered.port : redis.port);
    });

    beforeEach(async () => {
      await admin.flushall();
      store = redisStore(connected.client, { prefix: "test" });
    });

    afterAll(async () => {
      await connected.end();
      admin.disconnect();
    });

    test("counts several limits in turn, in one call, and nothing behind the first refusal", async () => {
      const both = [taking({ limit: 3 }), taking({ group: "b", client: "otto" })];
      await admin.config("RESETSTAT");
      const results = [];
      for (let time = 0; time < 5; time += 1) results.push(await leftAfter(store, both));

      expect(results).toEqual([[2, 1], [1, 0], [0, "refused"], ["refused"], ["refused"]]);
      const calls = /cmdstat_evalsha:calls=(\d+)/.exec(await admin.info("commandstats"))?.[1];
      expect(Number(calls)).toBe(5);
    });

    test("looks without taking", async () => {
      const look = taking({ amount: 0 });
      expect(await leftAfter(store, [look])).toEqual([2]);
      await store.take([taking()]);
      expect([await leftAfter(store, [look]), await leftAfter(store, [look])]).toEqual([[1], [1]]);
    });

    test("goes on when Redis has forgotten the script", async () => {
      await store.take([taking()]);
      await admin.script("FLUSH");
      expect(await leftAfter(store, [taking()])).toEqual([0]);
    });

    test("is exact though all ask at once", async () => {
      const taken = await Promise.all(Array.from({ length: 200 }, () => leftAfter(store, [taking({ limit: 50 })])));
      expect(taken.flat().filter((left) => left !== "refused")).toHaveLength(50);
    });

    test("keeps what is stored byte by byte, and counts what is counted on", async () => {
      const { get, set, increase } = store.entries!;
      const bytes = Buffer.from([0, 200, 255, 13, 10]);
      await set("entry", bytes, 60_000);

      expect([await get("entry"), await get("other")]).toEqual([bytes, undefined]);
      expect([await increase("generation"), await increase("generation")]).toEqual([1, 2]);
      expect(await admin.pttl("test:entry")).toBeGreaterThan(50_000);
    });
  });

  describe("whatever the client", () => {
    let client: Redis;
    let store: Store;

    beforeAll(() => {
      client = new Redis(redis.port);
    });

    beforeEach(async () => {
      await client.flushall();
      store = redisStore(client);
    });

    afterAll(() => client.disconnect());

    test("a key tells the route, and nothing of the client; it ends with the period", async () => {
      await store.take([taking({ route: "shop:rate:{orders}", client: "header anna@example.org" })]);
      const [key = ""] = await client.keys("*");

      expect(key).toMatch(/^waymark:\{shop:rate:_orders_\}:[\w-]{22}$/);
      expect(await client.pttl(key)).toBeGreaterThan(50_000);
      expect(await client.pttl(key)).toBeLessThanOrEqual(60_000);
    });

    test("the wait begins at the first refusal, and no later one prolongs it", async () => {
      const wait = 3_600_000;
      for (let time = 0; time < 2; time += 1) await store.take([taking({ wait })]);
      const [key = ""] = await client.keys("*");
      expect(await client.pttl(key)).toBeLessThanOrEqual(60_000);
      const [{ refusedFor = 0 } = {}] = await store.take([taking({ wait })]);
      expect(refusedFor).toBe(wait);
      await client.pexpire(key, 500_000);
      const [{ refusedFor: later = 0 } = {}] = await store.take([taking({ wait })]);
      expect(later).toBeLessThanOrEqual(500_000);
      await client.pexpire(key, 0);
      expect(await leftAfter(store, [taking({ wait })])).toEqual([1]);
    });

    const odd: [reason: string, put: (key: string) => Promise<unknown>][] = [
      ["a text", (key) => client.set(key, "many")],
      ["a number that is none of ours", (key) => client.set(key, "0x10")],
      ["another kind of value", (key) => client.rpush(key, "1")],
      ["a count without an end", (key) => client.set(key, "2")],
    ];

    test.each(odd)("what is no count is none: %s", async (_reason, put) => {
      await store.take([taking()]);
      const [key = ""] = await client.keys("*");
      await client.del(key);
      await put(key);

      expect(await leftAfter(store, [taking()])).toEqual([1]);
      expect(await leftAfter(store, [taking()])).toEqual([0]);
      expect(await client.pttl(key)).toBeGreaterThan(50_000);
    });

    test.each([0.2, 1e300])("a period of %p milliseconds is one", async (period) => {
      expect(await leftAfter(store, [taking({ period })])).toEqual([1]);
    });
  });
});

const mistakes: [reason: string, make: () => unknown, message: string][] = [
  [
    "no client",
    () => redisStore({} as never),
    "redisStore() takes a client of @redis/client or of ioredis, received an object",
  ],
  [
    "a URL",
    () => redisStore("redis://localhost" as never),
    "redisStore() takes a client of @redis/client or of ioredis",
  ],
  ["a prefix with braces", () => redisStore({} as never, { prefix: "a{b" }), 'Invalid option "prefix" of redisStore()'],
  ["no time", () => redisStore({} as never, { timeout: 0 }), 'Invalid option "timeout" of redisStore()'],
  ["an unknown option", () => redisStore({} as never, { prefixes: "x" } as never), '"prefixes"'],
];

test.each(mistakes)("redisStore() refuses %s", (_reason, make, message) => {
  expect(make).toThrow(message);
});
