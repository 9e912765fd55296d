import { afterEach, describe, expect, test } from "@jest/globals";
import { type GatewayChange, type GatewayOptions, parseConfig } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import { type Load, startLoad } from "./load.ts";
import { startUnsteadyHost, type UnsteadyHost, type Ways } from "./unsteady-host.ts";

// LOAD_ROUNDS=30 npm run test:measured -- hosts/under-load: the same for longer.
const rounds = Number(process.env.LOAD_ROUNDS ?? 1);
const clients = 24;
const leaving = 4;
/** Failures in a row until a host is left alone, for how long, and how long an answer may take; milliseconds. */
const least = 5;
const pause = 400;
const timeout = 2_000;

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function startHosts(...names: readonly string[]): Promise<readonly UnsteadyHost[]> {
  const hosts = await Promise.all(names.map(startUnsteadyHost));
  cleanups.push(() => Promise.all(hosts.map(({ close }) => close())));
  return hosts;
}

const quality = { MinimumThroughput: least, BreakDuration: pause, Timeout: timeout };

function routeOf(hosts: readonly UnsteadyHost[], path: string, more: object = {}): object {
  return {
    ...{ Key: path, UpstreamPathTemplate: path, DownstreamPathTemplate: "/" },
    DownstreamHostAndPorts: hosts.map(({ port }) => ({ Host: "127.0.0.1", Port: port })),
    LoadBalancerOptions: { Type: "RoundRobin" },
    QoSOptions: quality,
    ...more,
  };
}

async function start(config: object, options: GatewayOptions = {}) {
  const changes: GatewayChange[] = [];
  const observers = [{ begin: () => undefined, changed: (change: GatewayChange) => void changes.push(change) }];
  const running = await startGateway(config, { observers, ...options });
  cleanups.push(running.close);
  return { ...running, changes };
}

function load(port: number, paths: readonly string[], leavers = leaving): Load {
  const running = startLoad(port, { clients, leaving: leavers, paths });
  cleanups.push(running.stop);
  return running;
}

async function until(isTrue: () => boolean): Promise<void> {
  const end = performance.now() + 30_000;
  while (!isTrue() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(isTrue()).toBe(true);
}

/** The answers that are no host's name. */
function failuresIn(answers: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(answers).filter(([answer]) => !/^[a-e]$/.test(answer)));
}

function failuresOf(answers: Readonly<Record<string, number>>): number {
  return Object.values(failuresIn(answers)).reduce((sum, count) => sum + count, 0);
}

const ways: readonly Exclude<Ways, "well">[] = ["refuses", "503", "hangs"];

/** Each host fails in each way, one after the other. */
const phases = Array.from({ length: 3 * rounds }, (_, index) => ({
  failing: (index + Math.floor(index / 3)) % 3,
  way: ways[index % 3]!,
}));

describe.each(engines)("of three hosts one fails at a time, under load, with $name:", ({ create }) => {
  test.each<{ title: string; more: object; isSpared: boolean }>([
    { title: "with retries no client notices", more: { Retry: { Count: 1 } }, isSpared: true },
    { title: "without them no more than it takes to find out", more: {}, isSpared: false },
  ])(
    "$title",
    async ({ more, isSpared }) => {
      const hosts = await startHosts("a", "b", "c");
      const config = { Routes: [routeOf(hosts, "/x", more)] };
      const { port, gateway, changes } = await start(config, { engine: create() });
      const running = load(port, ["/x"]);
      expect(failuresIn(await running.more(300))).toEqual({});
      for (const { failing, way } of phases) {
        const host = hosts[failing]!;
        const told = (): readonly string[] => changes.map(({ state }) => state);
        changes.length = 0;
        const before = failuresOf(running.answers());
        await host.become(way);
        // A break is over, and a trial has failed; then what is known of the host is taken over by a reload.
        await until(() => told().filter((state) => state === "open").length > 1);
        await gateway.reload(parseConfig({ Routes: [...config.Routes, routeOf(hosts, "/y")] }, { logger: false }));
        await gateway.reload(parseConfig(config, { logger: false }));
        await running.more(300);
        const trials = told().filter((state) => state === "open").length - 1;
        const failed = failuresOf(running.answers()) - before;
        // Besides those that count, the ones that were under way: each client has one.
        expect({ way, failed }).toEqual({ way, failed: isSpared ? 0 : Math.min(failed, least - 1 + clients + trials) });
        await host.become("well");
        const backAt = performance.now();
        await until(() => told().at(-1) === "closed");
        // A trial may have been under way, and the clock of a busy machine goes by leaps.
        expect(performance.now() - backAt).toBeLessThan(pause + timeout + 1_000);
        const shares = await running.more(300);
        expect(failuresIn(shares)).toEqual({});
        for (const { name } of hosts) expect(shares[name]).toBeGreaterThan(80);
        // It opens once, opens again after each trial that fails, and closes once; no other host is suspected.
        expect(told().join(" ")).toMatch(/^open (half-open open )*half-open closed$/);
        expect(new Set(changes.map(({ name }) => name))).toEqual(new Set([host.origin]));
      }
      await running.stop();
      // Clients that have left are gone before the gateway has noticed.
      await until(() => gateway.health().running === 0);
      expect(gateway.health().degraded).toEqual([]);
    },
    120_000 + 20_000 * phases.length,
  );
});

test("a thousand routes to the same hosts find out each for itself, and a reload takes over what they know", async () => {
  const hosts = await startHosts("a", "b", "c");
  const [failing] = hosts;
  const paths = Array.from({ length: 1_000 }, (_, index) => `/r${index}`);
  const Routes = paths.map((path) =>
    routeOf(hosts, path, { QoSOptions: { MinimumThroughput: 2, BreakDuration: 600_000 } }),
  );
  const { port, gateway } = await start({ Routes });
  await failing!.become("503");
  const running = startLoad(port, { clients: 1, paths });
  cleanups.push(running.stop);

  // Every third request of a route goes to the host that fails, until it has failed twice.
  expect(failuresOf(await running.more(6 * paths.length))).toBe(2 * paths.length);
  expect(gateway.health().degraded).toHaveLength(paths.length);
  await gateway.reload(parseConfig({ Routes: [...Routes, routeOf(hosts, "/more")] }, { logger: false }));
  expect(gateway.health().degraded).toHaveLength(paths.length);
  expect(failuresIn(await running.more(3 * paths.length))).toEqual({});
}, 120_000);

test("what a health costs does not grow with the hosts of which nothing is to be told", async () => {
  const [host] = await startHosts("a");
  const paths = Array.from({ length: 300 }, (_, index) => `/r${index}`);
  const many = Array.from({ length: 300 }, () => host!);
  const check = { HealthCheck: { Path: "/", Interval: 600 } };
  const { port, gateway } = await start({ Routes: paths.map((path) => routeOf(many, path, check)) });
  const running = startLoad(port, { clients: 1, paths });
  await running.more(paths.length);
  await running.stop();
  const times = Array.from({ length: 21 }, () => {
    const began = performance.now();
    gateway.health();
    return performance.now() - began;
  });
  // 90,000 places: looking at each took 9 ms and more.
  expect(times.toSorted((one, other) => one - other)[10]).toBeLessThan(3);
}, 120_000);

test(
  "hosts that come and go under load are asked while they are there, and no request fails",
  async () => {
    const hosts = await startHosts("a", "b", "c", "d", "e");
    let tell: (present: readonly UnsteadyHost[]) => void = () => undefined;
    const toInstances = (some: readonly UnsteadyHost[]) => some.map(({ port }) => ({ host: "127.0.0.1", port }));
    const { port, gateway } = await start(
      {
        Routes: ["RoundRobin", "LeastConnection", "CookieStickySessions"].map((Type) => ({
          ...routeOf([], `/${Type}`, { DownstreamHostAndPorts: undefined, LoadBalancerOptions: { Type, Key: "sid" } }),
          ...{ ServiceName: "shop", DownstreamScheme: "http", QoSOptions: { MinimumThroughput: least } },
        })),
        GlobalConfiguration: { ServiceDiscoveryProvider: { Type: "Told", AllowAddresses: ["127.0.0.1"] } },
      },
      {
        discovery: {
          Told(_service, update, signal) {
            tell = (present) => update(toInstances(present));
            tell(hosts);
            return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
          },
        },
      },
    );
    const running = load(port, ["/RoundRobin", "/LeastConnection", "/CookieStickySessions"]);
    await running.more(200);
    for (let round = 0; round < 10 * rounds; round += 1) {
      const present = hosts.filter((_, index) => (round + 1) & (1 << index) || index === round % hosts.length);
      tell(present);
      // Whoever had a host already keeps it.
      await running.settle();
      const answers = await running.more(150);
      expect(failuresIn(answers)).toEqual({});
      expect(Object.keys(answers).toSorted()).toEqual(present.map(({ name }) => name));
    }
    await running.stop();
    // Clients that have left are gone before the gateway has noticed.
    await until(() => gateway.health().running === 0);
    expect(gateway.health().degraded).toEqual([]);
  },
  120_000 + 5_000 * rounds,
);
