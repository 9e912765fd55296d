import http from "node:http";
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { type GatewayChange, memoryStore, type RequestObserver, type Store, type Taken } from "../../src/index.ts";
import { Registry } from "prom-client";
import { prometheusMetrics } from "../../src/prometheus.ts";
import { createLogBook } from "../config/configurations.ts";
import { request } from "../helpers/send-raw.ts";
import { type RunningGateway, startGateway } from "../helpers/start-gateway.ts";
import { closeServer, listen, startUpstream, type Upstream } from "../helpers/start-upstream.ts";

let upstream: Upstream;
const running: RunningGateway[] = [];

beforeAll(async () => {
  upstream = await startUpstream();
});

afterEach(async () => {
  for (const gateway of running.splice(0)) await gateway.close();
});

afterAll(() => upstream.close());

async function start(store: Store, more: Readonly<Record<string, unknown>> = {}, observers: RequestObserver[] = []) {
  const route = {
    UpstreamPathTemplate: "/x",
    DownstreamPathTemplate: "/x",
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
    RateLimitOptions: { Limit: 2, Period: "1h", ...more },
  };
  const { logger, lines } = createLogBook();
  const gateway = await startGateway({ Routes: [route] }, { store, logger, observers });
  running.push(gateway);
  const ask = async (): Promise<number> => (await request({ port: gateway.port, path: "/x" })).status;
  return { ask, gateway: gateway.gateway, warnings: () => lines.filter((line) => line.startsWith("warn")) };
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
  ["tells a time that no calendar has", () => [{ remaining: 1, refusedFor: undefined, resetsIn: 1e99 }]],
  ["refuses for longer than there is time", () => [{ remaining: 0, refusedFor: Infinity, resetsIn: 1 }]],
  ["leaves what is no number", () => Promise.resolve([{ remaining: Number.NaN, refusedFor: undefined, resetsIn: 1 }])],
  ["tells of more counts than it was asked for", () => [plenty, plenty]],
];
const plenty: Taken = { remaining: 5, refusedFor: undefined, resetsIn: 1_000 };

test.each(failing)("A store that %s is away: the process counts by itself, and says so once", async (_how, take) => {
  const { ask, warnings } = await start({ take: take as Store["take"] });

  expect(await inTurn(4, ask)).toEqual([200, 200, 429, 429]);
  expect(warnings()).toEqual(["warn The store is away: until it is back, each process is on its own."]);
});

test("A period may be longer than any calendar", async () => {
  const { ask, gateway, warnings } = await start(memoryStore(), { Period: `${"9".repeat(200)}d` });

  expect(await inTurn(3, ask)).toEqual([200, 200, 429]);
  expect([gateway.health().degraded, warnings()]).toEqual([[], []]);
});

test("A store may answer later, and all who ask meanwhile are counted", async () => {
  const store = memoryStore();
  const { ask, warnings } = await start({ take: (taking) => Promise.resolve(store.take(taking)) });
  const statuses = await Promise.all(Array.from({ length: 8 }, ask));

  expect(statuses.toSorted()).toEqual([200, 200, 429, 429, 429, 429, 429, 429]);
  expect(warnings()).toEqual([]);
});

test("Who was refused while a store was away is refused until his time, though it is back", async () => {
  let isThere = false;
  const { ask } = await start({ take: () => (isThere ? [plenty] : fail()) });

  expect(await inTurn(3, ask)).toEqual([200, 200, 429]);
  isThere = true;
  expect(await ask()).toBe(429);
});

test("A store that is away is told to observers, and by health; a probe finds it back, and no request waits", async () => {
  let isThere = false;
  const store = memoryStore();
  const register = new Registry();
  const changes: string[][] = [];
  const isBack = Promise.withResolvers<undefined>();
  const changed = ({ kind, state, name }: GatewayChange): void => {
    changes.push([kind, state, name]);
    if (state === "there") isBack.resolve(undefined);
  };
  const failing = {
    begin: () => undefined,
    changed() {
      throw new Error("An observer fails.");
    },
  };
  const { ask, gateway } = await start({ take: (taking) => (isThere ? store.take(taking) : fail()) }, {}, [
    failing,
    { begin: () => undefined, changed },
    prometheusMetrics({ register }),
  ]);
  const metrics = async (): Promise<string[]> => (await register.metrics()).match(/^waymark_(changes|degraded).*/gm)!;

  expect(gateway.health().degraded).toEqual([]);
  expect(await ask()).toBe(200);
  expect(gateway.health().degraded).toEqual(["store"]);
  expect(await metrics()).toEqual([
    'waymark_changes_total{kind="store",state="away"} 1',
    'waymark_degraded{kind="store"} 1',
  ]);
  isThere = true;
  await isBack.promise;
  expect(gateway.health().degraded).toEqual([]);
  expect(await metrics()).toContain('waymark_degraded{kind="store"} 0');
  expect(changes).toEqual([
    ["store", "away", "store"],
    ["store", "there", "store"],
  ]);
  expect(await inTurn(3, ask)).toEqual([200, 200, 429]);
});

test('With "OnStoreFailure": "Refuse" nobody comes in who is not counted', async () => {
  const { gateway } = await start({ take: fail }, { OnStoreFailure: "Refuse" });
  const server = http.createServer(gateway);
  const port = await listen(server);
  const { status, headers, body } = await request({ port, path: "/x" });
  await closeServer(server);

  expect([status, headers["retry-after"], headers["x-ratelimit-limit"]]).toEqual([503, "1", undefined]);
  expect(JSON.parse(String(body))).toMatchObject({ code: "limit-unavailable" });
});

function fail(): never {
  throw new Error("Nobody is there.");
}
