import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { createClient } from "@redis/client";
import { type GatewayChange, memoryStore, parseConfig, type Store, upgradeThrough } from "../../src/index.ts";
import { createLogBook } from "../config/configurations.ts";
import { describeWithRedis, type RunningRedis, startRedis } from "../helpers/redis.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import { askAt, type CachedRoute, configOf, startCachedRoute } from "./cached-route.ts";

type Entries = NonNullable<Store["entries"]>;

let route: CachedRoute | undefined;
afterEach(async () => {
  await route?.close();
  route = undefined;
});

/** A store that counts at once, and whose entries are as they are told to be. */
function createStore(timeout: number, change: (entries: Entries) => Partial<Entries>) {
  const kept = new Map<string, Buffer>();
  const entries: Entries = {
    get: (key) => Promise.resolve(kept.get(key)),
    set: (key, entry) => Promise.resolve(kept.set(key, entry)),
    increase: () => Promise.resolve(1),
  };
  const { take } = memoryStore();
  return { take, timeout, entries: { ...entries, ...change(entries) } } satisfies Store;
}

async function start(store: Store) {
  const { logger, lines } = createLogBook();
  const back = Promise.withResolvers<undefined>();
  const changes: string[] = [];
  const changed = ({ kind, name, state }: GatewayChange): void => {
    changes.push(`${kind} ${name} ${state}`);
    if (state === "there") back.resolve(undefined);
  };
  const options = { store, logger, observers: [{ begin: () => undefined, changed }] };
  const RateLimitOptions = { Limit: 3, Period: "1h" };
  route = await startCachedRoute({}, { route: { RateLimitOptions }, options });
  const { ask, gateway } = route;
  const told = (): string[] => lines.filter((line) => line.includes(" store "));
  return { ask, back: back.promise, changes, told, degraded: () => gateway.gateway.health().degraded };
}

test("An answer may take longer to come from the store than a count, and counts are as they were", async () => {
  const store = createStore(0.1, ({ get }) => ({
    get: (key) => new Promise((resolve) => setTimeout(() => resolve(get(key)), 150)),
  }));
  const { ask, degraded } = await start(store);
  const got = [await ask(), await ask(), await ask(), await ask()];

  expect(got.map(({ status, body }) => (status === 200 ? body : status))).toEqual([
    "answer 1",
    "answer 1",
    "answer 1",
    429,
  ]);
  expect(degraded()).toEqual([]);
});

const never = (): Promise<never> => new Promise(() => undefined);
const refuse = (): Promise<never> => Promise.reject(new Error("There is no room left."));

test.each<[how: string, change: (isThere: () => boolean) => (entries: Entries) => Partial<Entries>]>([
  [
    "gives no answers",
    (isThere) =>
      ({ get }) => ({ get: (key) => (isThere() ? get(key) : never()) }),
  ],
  [
    "takes no answers",
    (isThere) =>
      ({ set }) => ({ set: (...entry) => (isThere() ? set(...entry) : refuse()) }),
  ],
])("A store that %s is no cache until it is back; counts are as they were", async (_how, change) => {
  let isThere = false;
  const { ask, back, changes, told, degraded } = await start(
    createStore(
      0.02,
      change(() => isThere),
    ),
  );
  const away = [(await ask()).body, (await ask()).body];
  const degradedMeanwhile = degraded();
  isThere = true;
  await back;

  expect(away).toEqual(["answer 1", "answer 2"]);
  expect(degradedMeanwhile).toEqual(["store cache"]);
  expect(degraded()).toEqual([]);
  expect((await ask()).body).toBe("answer 3");
  expect((await ask()).status).toBe(429);
  expect(changes).toEqual(["store cache away", "store cache there"]);
  expect(told()).toEqual([
    "warn The store of cached answers is away: until it is back, nothing is cached.",
    "info The store of cached answers is back.",
  ]);
});

/** What an entry of a store may have become. */
const spoilt: readonly (readonly [what: string, spoil: (entry: Buffer) => unknown])[] = [
  ["nothing but a part of its head", (entry) => entry.subarray(0, 40)],
  ["shorter by a byte", (entry) => entry.subarray(0, -1)],
  ["empty", () => Buffer.alloc(0)],
  ["JSON of another kind", () => Buffer.from("null\nbody")],
  ["a text", (entry) => entry.toString("latin1")],
  ["a number", () => 5],
  ["bytes of another kind", (entry) => new Uint8Array(entry)],
  ["without a status", withHead({ status: undefined })],
  ["with the status of an error", withHead({ status: 500 })],
  ["with a status that is a text", withHead({ status: "200" })],
  ["with a reason that ends the line", withHead({ statusText: "OK\r\nX: 1" })],
  ["without headers", withHead({ headers: null })],
  ["with a list of headers", withHead({ headers: ["a"] })],
  ["with a header that is a number", withHead({ headers: { age: 5 } })],
  ["with a header that ends the line", withHead({ headers: { a: "1\r\nb: 2" } })],
  ["with a header without a name", withHead({ headers: { "": "1" } })],
  ["with a place that is none", withHead({ origin: "nowhere" })],
  ["with a length that is none", withHead({ told: -1.5 })],
  ["with an age below 0", withHead({ age: -5 })],
  ["with a time that is none", withHead({ keptAt: "now" })],
  ["with a time before all calendars", withHead({ keptAt: -1e300 })],
  ["with an end behind all calendars", withHead({ endsAt: 1e300 })],
  ["with nothing that says how long it holds", withHead({ policy: null })],
  ["with a policy of nothing", withHead({ policy: {} })],
  ["with a policy of other parts", withHead({ policy: { v: 1, t: 1, resh: null, rescc: 5, reqcc: [] } })],
  ["a mark of numbers", withHead({ varies: [1, null], mark: "x", status: undefined })],
];

/** The same entry with another head. */
function withHead(change: object): (entry: Buffer) => Buffer {
  return (entry) => {
    const end = entry.indexOf("\n");
    const line = JSON.parse(entry.toString("utf8", 0, end)) as { head: object };
    return Buffer.concat([
      Buffer.from(JSON.stringify({ ...line, head: { ...line.head, ...change } })),
      entry.subarray(end),
    ]);
  };
}

test.each(spoilt)("An entry that has become %s is none", async (_what, spoil) => {
  const store = createSharedStore();
  const headers = { "Cache-Control": "max-age=60" };
  route = await startCachedRoute({ headers }, { route: { CacheOptions: { Mode: "Rfc" } }, options: { store } });
  const { ask } = route;
  const statuses = [(await ask()).status, (await ask({ method: "HEAD" })).status];
  for (const [key, entry] of store.kept) if (!key.includes(":probe")) store.kept.set(key, spoil(entry) as Buffer);
  const got = [await ask(), await ask({ method: "HEAD" }), await ask()];
  expect([...statuses, ...got.map(({ status }) => status)]).toEqual([200, 200, 200, 200, 200]);
  expect(got.map(({ body }) => body)).toEqual(["answer 3", "", "answer 3"]);
});

test("A store that cannot tell how often something was thrown away is away", async () => {
  const store = createStore(2, () => ({ increase: () => Promise.resolve("many" as unknown as number) }));
  const { gateway } = (route = await startCachedRoute({}, { options: { store, logger: false } }));
  await expect(gateway.gateway.cache.purge()).rejects.toThrow("The store is away: nothing was thrown away.");
  expect(gateway.gateway.health().degraded).toEqual(["store cache"]);
});

/** What several processes share, and the view that one of them has of it. */
function createSharedStore() {
  const kept = new Map<string, Buffer>();
  const entries: Entries = {
    get: (key) => Promise.resolve(kept.get(key)),
    set: (key, entry) => Promise.resolve(kept.set(key, entry)),
    increase(key) {
      const number = Number(kept.get(key)?.toString() ?? 0) + 1;
      kept.set(key, Buffer.from(String(number)));
      return Promise.resolve(number);
    },
  };
  return { take: memoryStore().take, timeout: 2, kept, entries } satisfies Store & { kept: unknown };
}

describe("a change that cannot be noted, as the store is away from where it is made", () => {
  const rfc = { route: { CacheOptions: { Mode: "Rfc" } } };
  const service = (req: IncomingMessage, res: ServerResponse, call: number): void => {
    res.setHeader("Cache-Control", "max-age=60");
    req.on("end", () => res.end(`answer ${call}`)).resume();
  };

  test("is noted when it is back, before anything is given again", async () => {
    const ways = ["nothing can be asked", "nothing can be noted", "what is noted is never answered"];
    expect(await Promise.all(ways.map(loseStore))).toEqual(
      ways.map((how) => ({ how, meanwhile: "answer 3", told: ["answer 1", "answer 1", "answer 4", "answer 4"] })),
    );
  });

  async function loseStore(how: string): Promise<object> {
    let isThere = true;
    const shared = createSharedStore();
    const { get, set, increase } = shared.entries;
    const unlessAway = async <Value>(answer: () => Promise<Value>): Promise<Value> => (isThere ? answer() : refuse());
    const entries: Entries = {
      get: (key) => (how === "nothing can be asked" ? unlessAway(() => get(key)) : get(key)),
      set: (...entry) => unlessAway(() => set(...entry)),
      increase: (key) => (how.includes("never") && !isThere ? never() : unlessAway(() => increase(key))),
    };
    const timeout = how.includes("never") ? 0.02 : 2;
    const back = Promise.withResolvers<undefined>();
    const changed = ({ state }: GatewayChange): void => (state === "there" ? back.resolve(undefined) : undefined);
    const options = { store: { ...shared, entries, timeout }, observers: [{ begin: () => undefined, changed }] };
    const { ask, gateway, upstream, close } = await startCachedRoute({ answer: service }, { ...rfc, options });
    const other = await startGateway(configOf(upstream.port, rfc), { store: shared });
    const headers = { host: "shop.example.org" };
    const askBoth = async (): Promise<string[]> => [
      (await askAt(gateway.port, { headers })).body,
      (await askAt(other.port, { headers })).body,
    ];
    const told = await askBoth();
    isThere = false;
    await ask({ method: "PUT", body: "new", headers });
    const { body: meanwhile } = await ask({ headers });
    isThere = true;
    await back.promise;
    told.push(...(await askBoth()));
    await Promise.all([close(), other.close()]);
    return { how, meanwhile, told };
  }

  test("who asks behind it waits for no answer that was asked for before", async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<undefined>();
    const store: Store = { ...createSharedStore(), entries: { get: refuse, set: refuse, increase: refuse } };
    const answer: typeof service = (req, res, call) => {
      if (call === 1) void opened.then(() => res.end("answer 1"));
      else service(req, res, call);
    };
    route = await startCachedRoute({ answer }, { ...rfc, options: { store } });
    const { ask, upstream } = route;
    const first = ask();
    while (upstream.requests.length < 1) await new Promise((resolve) => setImmediate(resolve));
    await ask({ method: "PUT", body: "new" });
    const behind = ask();
    while (upstream.requests.length < 3) await new Promise((resolve) => setImmediate(resolve));
    open(undefined);
    expect([(await first).body, (await behind).body]).toEqual(["answer 1", "answer 3"]);
  });
});

describe.each([
  { where: "memory", options: () => ({}) },
  { where: "a store", options: () => ({ store: createStore(2, () => ({})) }) },
])("names of Vary that are others in each answer, in $where", ({ options }) => {
  const numbered = (call: number, count: number, length: number): string =>
    Array.from({ length: count }, (_, index) => `x-${call}-${index}`.padEnd(length, "a")).join();

  test.each([
    { Mode: "Ttl", how: "many", count: 30, length: 1 },
    { Mode: "Rfc", how: "many", count: 30, length: 1 },
    { Mode: "Ttl", how: "long", count: 3, length: 500 },
  ])("tell nobody apart for ever: $how, $Mode", async ({ Mode, count, length }) => {
    const answer = (req: IncomingMessage, res: ServerResponse, call: number): void => {
      const vary = call > 3 ? "x-for" : `x-for,${numbered(call, count, length)}`;
      res.setHeader("Cache-Control", "max-age=60").setHeader("Vary", vary);
      res.end(`answer ${call} for ${String(req.headers["x-for"])}`);
    };
    const CacheOptions = { TtlSeconds: 60, Mode };
    route = await startCachedRoute({ answer }, { route: { CacheOptions }, options: options() });
    const name = (call: number): string => numbered(call, 1, length);
    const bodies = [];
    for (const headers of [
      ...[{ "x-for": "1" }, { "x-for": "2" }, { "x-for": "3" }, { "x-for": "3" }],
      // What came first no longer counts, and nothing is found that was kept while it did.
      ...[{ "x-for": "4", [name(1)]: "a" }, { "x-for": "4", [name(1)]: "b" }, { "x-for": "1" }],
      // What came last counts still.
      ...[
        { "x-for": "4", [name(3)]: "a" },
        { "x-for": "4", [name(3)]: "a" },
        { "x-for": "4", [name(3)]: "b" },
      ],
    ])
      bodies.push((await route.ask({ headers })).body);
    expect(bodies).toEqual([
      ...["answer 1 for 1", "answer 2 for 2", "answer 3 for 3", "answer 3 for 3"],
      ...["answer 4 for 4", "answer 4 for 4", "answer 5 for 1"],
      ...["answer 6 for 4", "answer 6 for 4", "answer 7 for 4"],
    ]);
  });
});

describeWithRedis("a cache in Redis", () => {
  let redis: RunningRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.close());

  test("is one for several gateways: an answer, a purge and a change in one count for the other", async () => {
    const service = (req: IncomingMessage, res: ServerResponse, call: number): void => {
      res.setHeader("Cache-Control", "max-age=60").setHeader("Vary", "Accept-Language");
      req.on("end", () => res.end(`answer ${call}`)).resume();
    };
    // Longer than usual, as a busy machine is no store that is away.
    const global = { Redis: { Url: redis.url, Timeout: 2 }, CacheOptions: { Mode: "Rfc" } };
    route = await startCachedRoute({ answer: service }, { global, route: { CacheOptions: {} } });
    const { gateway, upstream } = route;
    const other = await startGateway(configOf(upstream.port, { global, route: { CacheOptions: {} } }));
    const headers = { host: "shop.example.org" };
    const askBoth = async (): Promise<string[]> => {
      let first = await askAt(gateway.port, { headers });
      // A client has its answer before Redis has it.
      while (first.headers["cache-status"]?.includes("hit") !== true) first = await askAt(gateway.port, { headers });
      return [first.body, (await askAt(other.port, { headers })).body];
    };
    const told = await askBoth();
    await other.gateway.cache.purge();
    told.push(...(await askBoth()));
    await askAt(other.port, { method: "PUT", body: "new", headers });
    told.push(...(await askBoth()));
    await other.close();

    expect(told).toEqual(["answer 1", "answer 1", "answer 2", "answer 2", "answer 4", "answer 4"]);
    expect(upstream.requests).toHaveLength(4);
  });

  test("a reload while an answer comes in keeps the answer, and the client gets it whole", async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<undefined>();
    const global = { Redis: { Url: redis.url, Timeout: 2, Prefix: "reload" } };
    const answer = (_req: IncomingMessage, res: ServerResponse, call: number): void => {
      res.write("begin ");
      void opened.then(() => res.end(`end ${call}`));
    };
    route = await startCachedRoute({ answer }, { global });
    const { ask, gateway, upstream } = route;
    const first = ask();
    while (upstream.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const config = configOf(upstream.port, { global });
    await gateway.gateway.reload(parseConfig(config, { logger: false }));
    open(undefined);
    const bodies = [(await first).body, (await ask()).body];
    expect(bodies).toEqual(["begin end 1", "begin end 1"]);
  });

  test("an answer that a change has ended stays so when Redis has to make room, whoever asks for it", async () => {
    const full = await startRedis(["--maxmemory", "4mb", "--maxmemory-policy", "volatile-lru"]);
    const client = await createClient({ url: full.url }).connect();
    const service = (req: IncomingMessage, res: ServerResponse, call: number): void => {
      res.setHeader("Cache-Control", "max-age=60");
      req.on("end", () => res.end(`answer ${call}`)).resume();
    };
    const global = { Redis: { Url: full.url, Timeout: 2 }, CacheOptions: { Mode: "Rfc" } };
    route = await startCachedRoute({ answer: service }, { global, route: { CacheOptions: {} } });
    const { ask } = route;
    let first = await ask();
    while (first.headers["cache-status"]?.includes("hit") !== true) first = await ask();
    await ask({ method: "PUT", body: "new" });
    const kept = (await client.keys("*")).filter((key) => key.length > 60);
    for (let number = 0; number < 100; number += 1) {
      await client.set(`filling ${number}`, "x".repeat(100_000), { expiration: { type: "PX", value: 60_000 } });
      for (const key of kept) await client.get(key);
    }
    const again = await ask();
    client.destroy();
    await full.close();

    expect(kept).toHaveLength(1);
    expect(again.body).not.toBe(first.body);
  });

  test("a change that was made while another store was in force counts when the first one is back", async () => {
    const service = (req: IncomingMessage, res: ServerResponse, call: number): void => {
      res.setHeader("Cache-Control", "max-age=60");
      req.on("end", () => res.end(`answer ${call}`)).resume();
    };
    const CacheOptions = { Mode: "Rfc" };
    const stores = [{ CacheOptions }, { CacheOptions, Redis: { Url: redis.url, Timeout: 2, Prefix: "other" } }];
    route = await startCachedRoute({ answer: service }, { global: stores[0]!, route: { CacheOptions: {} } });
    const { ask, gateway, upstream } = route;
    const use = (global: object) =>
      gateway.gateway.reload(
        parseConfig(configOf(upstream.port, { global, route: { CacheOptions: {} } }), { logger: false }),
      );
    const bodies = [(await ask()).body];
    for (const [from, to] of [stores, stores.toReversed()] as const) {
      await use(to!);
      await ask({ method: "PUT", body: "new" });
      let kept = await ask();
      while (kept.headers["cache-status"]?.includes("hit") !== true) kept = await ask();
      await use(from!);
      await ask({ method: "PUT", body: "new" });
      await use(to!);
      bodies.push(String((await ask()).body === kept.body));
    }
    expect(bodies).toEqual(["answer 1", "false", "false"]);
  });
});

test("A WebSocket on a cached route is opened each time, and none of its answers is kept", async () => {
  route = await startCachedRoute({ status: 200 }, { route: { DownstreamScheme: "ws" } });
  const { ask, gateway, upstream } = route;
  gateway.server.on("upgrade", upgradeThrough(gateway.gateway));
  const headers = {
    ...{ connection: "Upgrade", upgrade: "websocket" },
    ...{ "sec-websocket-version": "13", "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==" },
  };
  const opened = [await ask({ headers }), await ask({ headers })];
  expect(opened.map(({ headers: { "cache-status": told } }) => told)).not.toContain(expect.stringContaining("hit"));
  expect(upstream.requests).toHaveLength(2);
  expect((await ask()).body).toBe("answer 3");
  expect((await ask()).body).toBe("answer 3");
});
