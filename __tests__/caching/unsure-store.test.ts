import { afterEach, expect, test } from "@jest/globals";
import { memoryStore, type Store } from "../../src/index.ts";
import { type CachedRoute, startCachedRoute } from "./cached-route.ts";

let route: CachedRoute | undefined;
afterEach(async () => {
  await route?.close();
  route = undefined;
});

test("A store that cannot tell what was purged gives nothing again", async () => {
  const kept = new Map<string, Buffer>();
  let isReadable = true;
  const entries: NonNullable<Store["entries"]> = {
    async get(key) {
      if (isReadable || !key.startsWith("waymark:cache:purged")) return kept.get(key);
      // What else is asked for at the same time is there before.
      await new Promise((resolve) => setImmediate(resolve));
      throw new Error("It cannot be read.");
    },
    set: (key, entry) => Promise.resolve(kept.set(key, entry)),
    increase(key) {
      kept.set(key, Buffer.from("1"));
      return Promise.resolve(1);
    },
  };
  const store: Store = { take: memoryStore().take, entries, timeout: 2 };
  route = await startCachedRoute({}, { options: { store, logger: false } });
  const { ask, gateway } = route;
  const bodies = [(await ask()).body, (await ask()).body];
  await gateway.gateway.cache.purge();
  isReadable = false;
  bodies.push((await ask()).body);
  expect(bodies).toEqual(["answer 1", "answer 1", "answer 2"]);
});

test.each([7, "7", { length: 1 }])("A store that gives %j as kept bytes harms no request", async (given) => {
  const entries = {
    get: () => given,
    set: async () => undefined,
    increase: async () => 1,
  } as unknown as Store["entries"];
  route = await startCachedRoute(
    {},
    { options: { store: { take: memoryStore().take, entries: entries! }, logger: false } },
  );
  const { ask } = route;
  expect([(await ask()).body, (await ask()).body]).toEqual(["answer 1", "answer 2"]);
});

test.each<[what: string, read: (sum: number) => unknown]>([
  ["numbers", (sum) => sum],
  ["texts", String],
  ["objects", (sum) => ({ sum })],
])("A store that gives sums as %s throws away what is to be thrown away", async (_what, read) => {
  const kept = new Map<string, Buffer>();
  const sums = new Map<string, number>();
  const entries = {
    get: async (key: string) => (sums.has(key) ? read(sums.get(key)!) : kept.get(key)),
    set: async (key: string, entry: Buffer) => kept.set(key, entry),
    async increase(key: string) {
      sums.set(key, (sums.get(key) ?? 0) + 1);
      return sums.get(key)!;
    },
  } as unknown as NonNullable<Store["entries"]>;
  route = await startCachedRoute({}, { options: { store: { take: memoryStore().take, entries }, logger: false } });
  const { ask, gateway } = route;
  const bodies = [(await ask()).body, (await ask()).body];
  await gateway.gateway.cache.purge();
  bodies.push((await ask()).body);
  expect(bodies).toEqual(["answer 1", "answer 1", "answer 2"]);
});
