import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { memoryStore, type Store, type Taken } from "../../src/index.ts";
import { createLogBook } from "../config/configurations.ts";
import { request } from "../helpers/send-raw.ts";
import { type RunningGateway, startGateway } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

let upstream: Upstream;
const running: RunningGateway[] = [];

beforeAll(async () => {
  upstream = await startUpstream();
});

afterEach(async () => {
  for (const gateway of running.splice(0)) await gateway.close();
});

afterAll(() => upstream.close());

async function start(store: Store) {
  const route = {
    UpstreamPathTemplate: "/x",
    DownstreamPathTemplate: "/x",
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
    RateLimitOptions: { Limit: 2, Period: "1h" },
  };
  const { logger, lines } = createLogBook();
  const gateway = await startGateway({ Routes: [route] }, { store, logger });
  running.push(gateway);
  const ask = async (): Promise<number> => (await request({ port: gateway.port, path: "/x" })).status;
  return { ask, warnings: () => lines.filter((line) => line.startsWith("warn")) };
}

async function inTurn<Result>(times: number, act: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let time = 0; time < times; time += 1) results.push(await act());
  return results;
}

const failing: [how: string, take: () => unknown][] = [
  ["throws", () => fail()],
  ["rejects", () => Promise.reject(new Error("Nobody answers."))],
  ["never answers", () => new Promise(() => undefined)],
  ["answers something else", () => ({ left: 3 })],
];

test.each(failing)("A store that %s is away: the process counts by itself, and says so once", async (_how, take) => {
  const { ask, warnings } = await start({ take: take as Store["take"] });

  expect(await inTurn(4, ask)).toEqual([200, 200, 429, 429]);
  expect(warnings()).toEqual(["warn The store failed: until it is back, each process counts for itself."]);
});

test("A store may answer later, and all who ask meanwhile are counted", async () => {
  const store = memoryStore();
  const { ask, warnings } = await start({ take: (taking) => Promise.resolve(store.take(taking)) });
  const statuses = await Promise.all(Array.from({ length: 8 }, ask));

  expect(statuses.toSorted()).toEqual([200, 200, 429, 429, 429, 429, 429, 429]);
  expect(warnings()).toEqual([]);
});

test("Who was refused while a store was away is refused until his time, though it is back", async () => {
  const plenty: Taken = { remaining: 5, refusedFor: undefined, resetsIn: 1_000 };
  let isThere = false;
  const { ask } = await start({ take: () => (isThere ? plenty : fail()) });

  expect(await inTurn(3, ask)).toEqual([200, 200, 429]);
  isThere = true;
  expect(await ask()).toBe(429);
});

function fail(): never {
  throw new Error("Nobody is there.");
}
