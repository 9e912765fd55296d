import { afterEach, expect, test } from "@jest/globals";
import { type GatewayChange, memoryStore, type Store } from "../../src/index.ts";
import { createLogBook } from "../config/configurations.ts";
import { type CachedRoute, startCachedRoute } from "./cached-route.ts";

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
