import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
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
