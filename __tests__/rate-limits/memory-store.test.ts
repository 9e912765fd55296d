import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { addNewest, createByAge, removeAged } from "../../src/by-age.ts";
import { type MemoryStore, memoryStore, type Taken } from "../../src/index.ts";

const quota = { limit: 2, period: 1_000, wait: 0 };

/** A store of three clients, on a clock of the test's. */
function start(clients = 3): Readonly<{ store: MemoryStore; clock: { now: number } }> {
  const clock = { now: 0 };
  return { store: memoryStore({ clients, now: () => clock.now }), clock };
}

function take(store: MemoryStore, group: string, client: string, more: Partial<typeof quota> = {}): Taken {
  return store.take([{ route: "r", group, client, quota: { ...quota, ...more }, amount: 1 }])[0]!;
}

function remaining(store: MemoryStore, group: string, clients: readonly string[]): number[] {
  return clients.map((client) => take(store, group, client).remaining);
}

describe("a store in memory that is full", () => {
  test("lets newcomers of the limit that holds most share one count", () => {
    const { store } = start();
    expect(remaining(store, "a", ["1", "2", "3"])).toEqual([1, 1, 1]);

    expect(remaining(store, "a", ["4", "5"])).toEqual([1, 0]);
    expect(take(store, "a", "6").refusedFor).toBe(1_000);
    expect(remaining(store, "a", ["1"])).toEqual([0]);
  });

  test("shows those who only look what they would be counted in, and takes nobody's place for that", () => {
    const { store, clock } = start();
    const look = (group: string, client: string): Taken =>
      store.take([{ route: "r", group, client, quota, amount: 0 }])[0]!;
    expect(look("a", "4").remaining).toBe(2);
    for (const client of ["1", "2", "3"]) remaining(store, "a", [client, client]);
    expect(look("a", "4").remaining).toBe(2);

    expect(remaining(store, "a", ["4", "5"])).toEqual([1, 0]);
    expect(look("a", "6").remaining).toBe(0);
    expect(look("b", "6").remaining).toBe(2);
    expect(remaining(store, "a", ["1", "2", "3"])).toEqual([0, 0, 0]);
    clock.now = 1_000;
    expect(look("a", "6").remaining).toBe(2);
  });

  test("makes room for another limit, at the cost of the oldest", () => {
    const { store } = start();
    remaining(store, "a", ["1", "2", "3"]);

    expect(remaining(store, "b", ["1"])).toEqual([1]);
    expect(remaining(store, "a", ["2", "3"])).toEqual([0, 0]);
  });

  test("makes no room out of a limit of which few are counted", () => {
    const { store, clock } = start(64);
    remaining(store, "few", ["1", "2"]);
    const names = Array.from({ length: 64 }, (_, index) => `${index}`);
    for (const group of ["a", "b", "c"]) for (const name of names) remaining(store, group, [name, name, name]);
    clock.now = 200;

    expect(remaining(store, "d", ["1", "2"])).toEqual([1, 0]);
    expect(remaining(store, "few", ["1", "2"])).toEqual([0, 0]);
  });

  test("forgets nobody who is being refused", () => {
    const { store } = start();
    for (const client of ["1", "2", "3"]) remaining(store, "a", [client, client, client]);

    expect(remaining(store, "b", ["4", "5"])).toEqual([1, 0]);
    expect(take(store, "b", "6").refusedFor).toBe(1_000);
    expect(["1", "2", "3"].map((client) => take(store, "a", client).refusedFor)).toEqual([1_000, 1_000, 1_000]);
  });

  test("has room for newcomers of other limits, however many are being refused at one", () => {
    const { store } = start(800);
    const names = Array.from({ length: 1_000 }, (_, index) => `${index}`);
    for (const name of names) remaining(store, "a", [name, name, name]);
    for (const name of names) take(store, "b", name);

    // Those of "c" take the places of the oldest of "b", which has more.
    expect(remaining(store, "c", names.slice(0, 40))).toEqual(Array(40).fill(1));
    expect(remaining(store, "c", names.slice(0, 40))).toEqual(Array(40).fill(0));
    expect(take(store, "a", "new").refusedFor).toBe(1_000);
    expect(names.slice(0, 700).filter((name) => take(store, "a", name).refusedFor === undefined)).toEqual([]);
  });

  test("takes newcomers again once periods have ended, those of other limits too", () => {
    const { store, clock } = start();
    remaining(store, "a", ["1", "2"]);
    for (let time = 0; time < 3; time += 1) take(store, "a", "3");
    clock.now = 1_000;

    expect(remaining(store, "b", ["4", "4", "5", "5", "6", "6"])).toEqual([1, 0, 1, 0, 1, 0]);
  });

  test("counts a hundred thousand names and as many again, and keeps those of the first", () => {
    const { store } = start(100_000);
    const names = Array.from({ length: 200_000 }, (_, index) => `client ${index}`);
    for (const name of names) take(store, "a", name);

    expect(take(store, "a", names[0]!).remaining).toBe(0);
    expect(take(store, "a", names.at(-1)!).refusedFor).toBeDefined();
  });
});

describe("a store in memory", () => {
  test("looks without taking", () => {
    const { store } = start();
    const look = (): Taken => store.take([{ route: "r", group: "a", client: "1", quota, amount: 0 }])[0]!;

    expect(look()).toEqual({ remaining: 2, refusedFor: undefined, resetsIn: 1_000 });
    take(store, "a", "1");
    expect(look().remaining).toBe(1);
    expect(look().remaining).toBe(1);
  });

  test("takes in turn, and nothing behind the first refusal", () => {
    const { store } = start();
    const taking = (group: string) => ({ route: "r", group, client: "1", quota, amount: 1 }) as const;
    take(store, "a", "1");
    const both = (): (number | undefined)[] =>
      store.take([taking("a"), taking("b")]).map(({ refusedFor }) => refusedFor);

    expect([both(), both()]).toEqual([[undefined, undefined], [1_000]]);
    expect(take(store, "b", "1").remaining).toBe(0);
  });

  test("begins the wait at the first refusal, and prolongs it by none", () => {
    const { store, clock } = start();
    const wait = 5_000;
    for (let time = 0; time < 2; time += 1) take(store, "a", "1", { wait });
    clock.now = 900;
    expect(take(store, "a", "1", { wait }).refusedFor).toBe(5_000);
    clock.now = 5_899;
    expect(take(store, "a", "1", { wait }).refusedFor).toBe(1);
    clock.now = 5_900;
    expect(take(store, "a", "1", { wait }).remaining).toBe(1);
  });

  test("keeps periods of months", () => {
    const { store, clock } = start();
    const period = 90 * 86_400_000;
    for (let time = 0; time < 3; time += 1) take(store, "a", "1", { period });
    clock.now = period - 1;
    expect(take(store, "a", "1", { period }).refusedFor).toBe(1);
    clock.now = period;
    expect(take(store, "a", "1", { period }).remaining).toBe(1);
  });
});

test("a table by age has its values in the order in which they came, whichever of them leave", () => {
  const steps = fc.array(fc.record({ key: fc.constantFrom("a", "b", "c", "d", "e"), leaves: fc.boolean() }), {
    maxLength: 40,
  });
  fc.assert(
    fc.property(steps, (all) => {
      const table = createByAge<number>();
      const model = new Map<string, number>();
      for (const [at, { key, leaves }] of all.entries()) {
        if (leaves) expect(removeAged(table, key)).toBe(model.get(key));
        else addNewest(table, key, at);
        model.delete(key);
        if (!leaves) model.set(key, at);
      }
      const found: [string, number][] = [];
      while (table.oldest !== undefined) {
        const { key, value } = table.oldest;
        found.push([key, value]);
        removeAged(table, key);
      }
      expect(found).toEqual([...model]);
      expect([table.newest, table.entries.size]).toEqual([undefined, 0]);
    }),
  );
});
