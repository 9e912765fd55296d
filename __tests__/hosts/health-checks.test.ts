import { once } from "node:events";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import { describe, expect, test } from "@jest/globals";
import { askHost, type CheckedPlace } from "../../src/capabilities/health-checks/ask-host.ts";
import { createCheckTurns } from "../../src/capabilities/health-checks/turns-of-routes.ts";
import { toHealthCheck } from "../../src/capabilities/health-checks/health-check.ts";
import { type GatewayChange, parseConfig } from "../../src/index.ts";
import type { Engine } from "../../src/forwarding/engines/engine.ts";
import { engines } from "../helpers/engines.ts";
import { holdDeadPort } from "../helpers/hold-dead-port.ts";
import { request } from "../helpers/send-raw.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import { closeServer, listen, startUpstream, type Upstream } from "../helpers/start-upstream.ts";
import { addresses, cleanups } from "./checked-hosts.ts";
import { configOf, type HostsGateway, startHosts } from "./start-hosts.ts";

/** A host whose checks are answered as it is told, and that answers everything else with its name. */
type CheckedHost = Upstream & { isWell: boolean | "silent" | "coded"; checks: number };

async function startChecked(name: string, isWell: CheckedHost["isWell"] = true): Promise<CheckedHost> {
  const answer: RequestListener = (req, res) => {
    req.resume();
    if (req.url !== "/health") return void res.end(name);
    host.checks += 1;
    if (host.isWell === "coded") res.socket!.end("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nbody");
    else if (host.isWell !== "silent") res.writeHead(host.isWell ? 200 : 503).end("body");
  };
  const host: CheckedHost = Object.assign(await startUpstream(answer), { isWell, checks: 0 });
  cleanups.push(host.close);
  return host;
}

const HealthCheck = { Path: "/health", Interval: 0.005, Timeout: 0.5, Healthy: 2, Unhealthy: 2 };

async function start(...[hosts, route, options]: Parameters<typeof startHosts>): Promise<HostsGateway> {
  const gateway = await startHosts(hosts, { HealthCheck, ...route }, options);
  cleanups.push(gateway.close);
  return gateway;
}

async function untilIt(says: "up" | "down", { changes }: HostsGateway): Promise<void> {
  while (changes.at(-1)?.state !== says) await new Promise((resolve) => setTimeout(resolve, 2));
}

async function checksOf(host: CheckedHost, count: number): Promise<void> {
  for (const end = host.checks + count; host.checks < end;) await once(host.server, "request");
}

async function askTimes(gateway: HostsGateway, times: number): Promise<string[]> {
  const answers: string[] = [];
  for (let index = 0; index < times; index += 1) answers.push(await gateway.ask());
  return answers;
}

test.each(["EMFILE", "EADDRNOTAVAIL"])(
  "a check for which the own process lacks what it needs (%s) tells nothing of its host",
  async (code) => {
    const [{ create }] = engines as readonly [(typeof engines)[number]];
    const engine = create();
    let checks = 0;
    const forward: Engine["forward"] = (outgoing, context) => {
      if (outgoing.path !== "/health") return engine.forward(outgoing, context);
      checks += 1;
      return Promise.reject(Object.assign(new Error(code), { code, address: "127.0.0.1" }));
    };
    const a = await startChecked("a");
    const gateway = await start([a], {}, { engine: { ...engine, forward } });
    while (checks < 5) await new Promise((resolve) => setTimeout(resolve, 2));
    expect(gateway.gateway.health().degraded).toEqual([]);
    expect(await gateway.ask()).toBe("a");
  },
);

test("of the hosts of a long list, health names a hundred, and counts the others", async () => {
  const { port, release } = await holdDeadPort();
  cleanups.push(release);
  const DownstreamHostAndPorts = Array.from({ length: 150 }, (_, index) => ({
    Host: `127.0.1.${index + 1}`,
    Port: port,
  }));
  const asked = await startHosts([], { DownstreamHostAndPorts, QoSOptions: { MinimumThroughput: 2 } });
  cleanups.push(asked.close);
  await askTimes(asked, 300);
  const checked = await start([], { DownstreamHostAndPorts });
  while (checked.changes.length < 150) await new Promise((resolve) => setTimeout(resolve, 2));
  for (const [{ gateway }, where] of [
    [checked, ""],
    [asked, " of route 0"],
  ] as const) {
    const { degraded } = gateway.health();
    expect([degraded.length, degraded.at(-1)]).toEqual([101, "50 more"]);
    expect(degraded[0]).toBe(`host http://127.0.1.1:${port}${where}`);
  }
});

test("health names hosts of each route where there is not room for all names", async () => {
  const { port, release } = await holdDeadPort();
  cleanups.push(release);
  const DownstreamHostAndPorts = Array.from({ length: 100 }, (_, index) => ({
    Host: `127.0.1.${index + 1}`,
    Port: port,
  }));
  const keys = Array.from({ length: 11 }, (_, index) => `route-${index}`);
  // No break ends while a slow machine still makes the others.
  const QoSOptions = { MinimumThroughput: 1, BreakDuration: 600_000 };
  const route = { DownstreamPathTemplate: "/", DownstreamHostAndPorts, QoSOptions };
  const Routes = keys.map((Key) => ({ Key, UpstreamPathTemplate: `/${Key}`, ...route }));
  const changes: GatewayChange[] = [];
  const observer = { begin: () => undefined, changed: (change: GatewayChange) => changes.push(change) };
  const { gateway, port: gatewayPort, close } = await startGateway({ Routes }, { observers: [observer] });
  cleanups.push(close);
  for (let round = 0; changes.length < 1_100; round += 1) {
    await Promise.all(keys.map((key) => request({ port: gatewayPort, path: `/${key}` })));
    if (round > 100) throw new Error(`Only ${changes.length} hosts are left alone.`);
  }
  const { degraded } = gateway.health();
  const named = keys.map((key) => degraded.filter((text) => text.endsWith(` of route ${key}`)).length);
  expect([named, degraded.length, degraded.at(-1)]).toEqual([keys.map(() => 50), 551, "550 more"]);
});

describe.each(engines)("a host that does not pass its checks is passed over: $name", ({ create }) => {
  test("and asked again when it does", async () => {
    const [a, b] = await Promise.all([startChecked("a"), startChecked("b")]);
    const lines: object[] = [];
    const note = (fields: object): void => void lines.push(fields);
    const logger = { error: note, warn: note, info: note, debug: note };
    const gateway = await start([a, b], {}, { engine: create(), logger });
    expect(await askTimes(gateway, 2)).toEqual(["a", "b"]);
    a.isWell = false;
    await untilIt("down", gateway);
    expect(await askTimes(gateway, 3)).toEqual(["b", "b", "b"]);
    expect(gateway.gateway.health().degraded).toEqual([`host ${a.origin}`]);
    a.isWell = true;
    await untilIt("up", gateway);
    expect((await askTimes(gateway, 4)).sort()).toEqual(["a", "a", "b", "b"]);
    expect(gateway.changes).toMatchObject([
      { kind: "health", name: a.origin, state: "down" },
      { kind: "health", name: a.origin, state: "up" },
    ]);
    // Checks are of no route: a logger that writes all fields would tell one that is undefined.
    expect(lines.map((line) => Object.entries(line))).toEqual([[["host", a.origin]], [["host", a.origin]]]);
  });

  test("one that does not answer its checks is down, too", async () => {
    const [a, b] = await Promise.all([startChecked("a", "silent"), startChecked("b")]);
    const route = { HealthCheck: { ...HealthCheck, Timeout: 0.5 } };
    const gateway = await start([a, b], route, { engine: create() });
    await untilIt("down", gateway);
    expect(await askTimes(gateway, 2)).toEqual(["b", "b"]);
  });

  test("one whose answer no client would get is down, too", async () => {
    const [a, b] = await Promise.all([startChecked("a", "coded"), startChecked("b")]);
    const gateway = await start([a, b], {}, { engine: create() });
    await untilIt("down", gateway);
    expect(await askTimes(gateway, 2)).toEqual(["b", "b"]);
  });
});

test("one bad check among good ones changes nothing", async () => {
  const a = await startChecked("a");
  const gateway = await start([a], {});
  for (let index = 0; index < 4; index += 1) {
    a.isWell = false;
    await checksOf(a, 1);
    a.isWell = true;
    await checksOf(a, 2);
  }
  expect(gateway.changes).toEqual([]);
});

test("where all are down, it is as if all were up", async () => {
  const [a, b] = await Promise.all([startChecked("a", false), startChecked("b", false)]);
  const gateway = await start([a, b], {});
  while (gateway.changes.length < 2) await checksOf(a, 1);
  expect(await askTimes(gateway, 4)).toEqual(["a", "b", "a", "b"]);
});

test("routes that check a host in the same way share its checks", async () => {
  const a = await startChecked("a");
  const slowly = { ...HealthCheck, Interval: 60 };
  const Routes = Array.from({ length: 1_000 }, (_, index) => ({
    UpstreamPathTemplate: `/${index}`,
    DownstreamPathTemplate: "/",
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: a.port }],
    HealthCheck: slowly,
  }));
  const gateway = await start([a], { HealthCheck: slowly });
  await gateway.gateway.reload(parseConfig({ Routes }, { logger: false }));
  expect(await gateway.ask("/999")).toBe("a");
  while (a.checks === 0) await once(a.server, "request");
  expect(await gateway.ask("/0")).toBe("a");
  expect(a.checks).toBe(1);
});

/** A host that is many: each address of this machine leads to it. It tells how many checks it has at the most. */
async function startCrowd(): Promise<Readonly<{ port: number; most: () => number; checks: () => number }>> {
  const open = new Set<ServerResponse>();
  let checks = 0;
  let most = 0;
  const server = createServer((_req, res) => {
    checks += 1;
    open.add(res);
    most = Math.max(most, open.size);
    setTimeout(() => {
      open.delete(res);
      res.end("well");
    }, 5);
  });
  const port = await listen(server, "0.0.0.0");
  cleanups.push(() => closeServer(server));
  return { port, most: () => most, checks: () => checks };
}

test.each(engines)(
  "of many hosts a few are checked at the same time, each of them in time: $name",
  async ({ create }) => {
    const crowd = await startCrowd();
    const DownstreamHostAndPorts = addresses(200).map((Host) => ({ Host, Port: crowd.port }));
    const often = { ...HealthCheck, Interval: 0.1 };
    await start([], { DownstreamHostAndPorts, HealthCheck: often }, { engine: create() });
    while (crowd.checks() < 400) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(crowd.most()).toBeLessThanOrEqual(64);
  },
);

test("checks of one route that wait keep those of another waiting no longer than its turn", async () => {
  const began: string[] = [];
  const takeTurn = createCheckTurns(2);
  const [crowd, other] = [{}, {}];
  const leaving = Array.from({ length: 5 }, (_, index) => takeTurn(crowd, () => began.push(`crowd ${index}`)));
  leaving.push(takeTurn(other, () => began.push("other")));
  leaving[2]!();
  for (const index of [0, 1]) {
    leaving[index]!();
    leaving[index]!();
    await new Promise(setImmediate);
  }
  expect(began).toEqual(["crowd 0", "crowd 1", "crowd 3", "other"]);
  for (const leave of leaving) leave();
  await new Promise(setImmediate);
  expect(takeTurn(other, () => began.push("last"))).toBeDefined();
  expect(began.slice(4)).toEqual(["last"]);
});

test("checks that find room together begin a few at a time, so that requests are served in between", async () => {
  let began = 0;
  const takeTurn = createCheckTurns(40);
  const leaving = Array.from({ length: 80 }, () => takeTurn({}, () => (began += 1)));
  for (const leave of leaving.slice(0, 40)) leave();
  const steps: number[] = [];
  for (let before = began; began < 80; before = began) {
    await new Promise(setImmediate);
    steps.push(began - before);
  }
  expect(Math.max(...steps)).toBeLessThanOrEqual(8);
});

test("a check ends in time, also where the engine does not give it up", async () => {
  const never = (): Promise<never> => new Promise(() => undefined);
  const place = { origin: "http://127.0.0.1:1", check: toHealthCheck({ ...HealthCheck, Timeout: 0.02 }) };
  const connection = {} as CheckedPlace["connection"];
  expect(await askHost({ forward: never }, { ...place, connection }).isWell).toBe(false);
});

test("a reload keeps what is known of the hosts that stay, and checks no others any more", async () => {
  const [a, b, c] = await Promise.all([startChecked("a", false), startChecked("b"), startChecked("c")]);
  const gateway = await start([a, b], {});
  await untilIt("down", gateway);
  await gateway.gateway.reload(parseConfig(configOf([a, c], { HealthCheck, Timeout: 5 }), { logger: false }));
  expect(await askTimes(gateway, 2)).toEqual(["c", "c"]);
  await checksOf(c, 1);
  const checks = b.checks;
  await checksOf(c, 5);
  expect(b.checks).toBe(checks);
});

test("checks end with the gateway, also one under way", async () => {
  const a = await startChecked("a", "silent");
  const gateway = await start([a], { HealthCheck: { ...HealthCheck, Timeout: 60 } });
  while (a.checks === 0) await once(a.server, "request");
  await gateway.gateway.close({ grace: 0 });
  const connections = () =>
    new Promise<number>((resolve) => a.server.getConnections((_error, count) => resolve(count)));
  while ((await connections()) > 0) await new Promise(setImmediate);
  expect(a.checks).toBe(1);
});
