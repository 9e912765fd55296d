import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type GatewayChange, parseConfig } from "../../src/index.ts";
import { createLogBook } from "../config/configurations.ts";
import { describeWithRedis, type Line, type RunningRedis, startLine, startRedis } from "../helpers/redis.ts";
import { request } from "../helpers/send-raw.ts";
import { type RunningGateway, startGateway } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

type Broken = Readonly<{ redis: RunningRedis; line: Line }>;

/** What can happen to a Redis, and how it ends. */
const outages: [what: string, begin: (broken: Broken) => unknown, finish: (broken: Broken) => unknown][] = [
  ["stopped, and started anew", ({ redis }) => redis.stop(), ({ redis }) => redis.start()],
  ["frozen", ({ redis }) => redis.freeze(), ({ redis }) => redis.thaw()],
  ["slower than it may be", ({ line }) => line.delay(3_000), ({ line }) => line.delay(0)],
  ["behind a line that is cut", ({ line }) => line.cut(), () => undefined],
];

type Outcome = Readonly<{
  statuses: readonly number[];
  /** While it is away, and afterwards. */
  degraded: readonly (readonly string[])[];
  log: readonly string[];
}>;

let upstream: Upstream;
const ends: (() => Promise<unknown>)[] = [];
const outcomes = new Map<string, Outcome>();

function configOf(port: number) {
  const route = {
    UpstreamPathTemplate: "/x",
    DownstreamPathTemplate: "/x",
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
    RateLimitOptions: { Limit: 2, Period: "1h" },
  };
  // Longer than usual, as a busy machine is no store that is away.
  const Redis = { Url: `redis://127.0.0.1:${port}`, Prefix: "shop", Timeout: 2 };
  return { Routes: [route], GlobalConfiguration: { Redis } };
}

async function ask({ port }: RunningGateway, client: string): Promise<number> {
  return (await request({ port, path: "/x", headers: { "oc-client": client } })).status;
}

async function run([what, begin, finish]: (typeof outages)[number]): Promise<void> {
  const redis = await startRedis();
  const line = await startLine(redis.port);
  const { logger, lines } = createLogBook();
  let back = Promise.withResolvers<unknown>();
  const changed = ({ state }: GatewayChange): void => {
    if (state === "there") back.resolve(state);
    else back = Promise.withResolvers();
  };
  const gateway = await startGateway(configOf(line.port), { logger, observers: [{ begin: () => undefined, changed }] });
  ends.push(async () => {
    await gateway.close();
    await line.close();
    await redis.close();
  });
  await ask(gateway, "somebody");
  if (gateway.gateway.health().degraded.length > 0) await back.promise;
  lines.splice(0);
  const statuses = [await ask(gateway, "anna")];
  await begin({ redis, line });
  for (let time = 0; time < 3; time += 1) statuses.push(await ask(gateway, "anna"));
  const away = gateway.gateway.health().degraded;
  await finish({ redis, line });
  await back.promise;
  for (const client of ["anna", "otto", "otto", "otto"]) statuses.push(await ask(gateway, client));
  const degraded = [away, gateway.gateway.health().degraded];
  outcomes.set(what, { statuses, degraded, log: lines.filter((text) => text.includes(" store ")) });
}

describeWithRedis("a Redis that several machines share", () => {
  beforeAll(async () => {
    upstream = await startUpstream();
    await Promise.all(outages.map(run));
  });

  afterAll(async () => {
    await Promise.all(ends.map((end) => end()));
    await upstream.close();
  });

  test.each(outages)("that is %s: each process counts for itself, and then with all again", (what) => {
    const { statuses, degraded, log } = outcomes.get(what)!;
    // While it is away two pass, who had one left; who was refused then stays so, and others are counted there.
    expect(statuses).toEqual([200, 200, 200, 429, 429, 200, 200, 429]);
    expect(degraded).toEqual([["store"], []]);
    expect(log).toEqual([
      "warn The store is away: until it is back, each process is on its own.",
      "info The store is back.",
    ]);
  });

  test("is counted in by all gateways, and left by a reload that names another one", async () => {
    const [redis, other] = await Promise.all([startRedis(), startRedis()]);
    const [one, two] = await Promise.all([startGateway(configOf(redis.port)), startGateway(configOf(redis.port))]);
    const statuses = [];
    for (const gateway of [one, two, one, two]) statuses.push(await ask(gateway, "anna"));
    await one.gateway.reload(parseConfig(configOf(other.port), { logger: false }));
    statuses.push(await ask(one, "anna"), await ask(two, "anna"));
    await Promise.all([one.close(), two.close()]);
    await Promise.all([redis.close(), other.close()]);

    expect(statuses).toEqual([200, 200, 429, 429, 200, 429]);
  });
});
