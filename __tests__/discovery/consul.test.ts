import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "@jest/globals";
import { liveOf } from "../../src/compiling/live.ts";
import { createProvider } from "../../src/discovery/create-provider.ts";
import { createDiscovery } from "../../src/discovery/discovery.ts";
import { type Host, type InstanceFinder, parseConfig } from "../../src/index.ts";
import type { RegistryFault } from "../../src/simulator/index.ts";
import { engines } from "../helpers/engines.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import { eventually, routeTo, startConsul } from "./instances.ts";
import { a, b, closing, tableGateway } from "./table-gateway.ts";

async function consulWith(...given: Parameters<typeof startConsul>): ReturnType<typeof startConsul> {
  const consul = await startConsul(...given);
  closing.push(consul.close);
  return consul;
}

async function gatewayFor(
  provider: object,
  more: Readonly<{ route?: object; options?: object }> = {},
): Promise<Awaited<ReturnType<typeof startGateway>> & { ask: (path: string) => Promise<string> }> {
  const config = {
    Routes: [routeTo("orders", more.route)],
    GlobalConfiguration: { ServiceDiscoveryProvider: provider },
  };
  const running = await startGateway(config, more.options);
  closing.push(running.close);
  return {
    ...running,
    async ask(path) {
      const answer = await fetch(running.origin + path);
      const text = await answer.text();
      return answer.ok ? text : `${answer.status}`;
    },
  };
}

describe.each(engines)("services that Consul finds, over $name", ({ create }) => {
  test("a request goes where Consul says, and to all instances in turn", async () => {
    const consul = await consulWith({ orders: [a, b] });
    const route = { LoadBalancerOptions: { Type: "RoundRobin" } };
    const { ask } = await gatewayFor(consul.provider, { route, options: { engine: create() } });
    expect([await ask("/orders/1?q=2"), await ask("/orders/2"), await ask("/orders/3")]).toEqual([
      "a /1?q=2",
      "b /2",
      "a /3",
    ]);
  });

  test("an instance that comes or goes counts from the moment when Consul tells it", async () => {
    const consul = await consulWith({ orders: [a] });
    const { ask } = await gatewayFor(consul.provider, { options: { engine: create() } });
    expect(await ask("/orders/1")).toBe("a /1");
    consul.setInstances("orders", [b]);
    expect(
      await eventually(
        () => ask("/orders/1"),
        (answer) => answer !== "a /1",
      ),
    ).toBe("b /1");
    consul.setInstances("orders", []);
    expect(
      await eventually(
        () => ask("/orders/1"),
        (answer) => answer !== "b /1",
      ),
    ).toBe("503");
  });
});

test("a balancer of one's own chooses among the instances that Consul knows", async () => {
  const consul = await consulWith({ orders: [a, b] });
  const { ask } = await gatewayFor(consul.provider, {
    route: { LoadBalancerOptions: { Type: "Last" } },
    options: { balancers: { Last: (hosts: readonly Host[]) => hosts.at(-1)! } },
  });
  expect([await ask("/orders/1"), await ask("/orders/2")]).toEqual(["b /1", "b /2"]);
});

test("requests ask Consul nothing: one question at the start, one that waits for changes", async () => {
  const consul = await consulWith({ orders: [a] });
  const { ask } = await gatewayFor(consul.provider);
  for (let count = 0; count < 20; count += 1) await ask("/orders/1");
  await eventually(consul.requests, ({ length }) => length >= 2);
  expect(consul.requests().map(({ url }) => url)).toEqual([
    "/v1/health/service/orders?passing",
    "/v1/health/service/orders?passing&index=11&wait=30s",
  ]);
});

test("the token goes along as a header, and a Consul that refuses it is named", async () => {
  const consul = await consulWith({ orders: [a] }, "s3cret");
  const known = await gatewayFor({ ...consul.provider, Token: "s3cret" });
  expect(await known.ask("/orders/1")).toBe("a /1");
  const warnings: [{ err: Error }, string][] = [];
  const ignore = () => undefined;
  const logger = {
    error: ignore,
    info: ignore,
    debug: ignore,
    warn: (...given: unknown[]) => warnings.push(given as (typeof warnings)[0]),
  };
  const refused = await gatewayFor({ ...consul.provider, Token: "wr0ng" }, { options: { logger } });
  await eventually(
    () => warnings.length,
    (length) => length > 0,
  );
  expect(JSON.stringify(warnings.map(([, message]) => message))).toContain("The provider of services fails");
  expect(String(warnings[0]![0].err)).toMatch(/403: look at the token/);
  expect(JSON.stringify(warnings)).not.toContain("wr0ng");
  expect(refused.gateway.health().degraded).toEqual(["registry Consul"]);
});

const node = { name: "node-7", address: "127.0.0.1" };
const entries: readonly Readonly<{ about: string; instance: object; more?: object; expected: string }>[] = [
  {
    about: "without an address of its own, that of its node counts",
    instance: { address: "", node },
    expected: "a /1",
  },
  {
    about: "the node's name counts only where the configuration says so",
    instance: { address: "10.255.255.1", node: { name: "localhost" } },
    more: { UseNodeName: true },
    expected: "a /1",
  },
  { about: "an address with a scheme is none", instance: { address: "http://127.0.0.1" }, expected: "503" },
  { about: "an address that is written as a number is none", instance: { address: "2130706433" }, expected: "503" },
  { about: "a port of 0 is none", instance: { port: 0 }, expected: "503" },
  { about: "one whose checks fail is not told", instance: { passing: false }, expected: "503" },
];

test.each(entries)("an instance of Consul: $about", async ({ instance, more, expected }) => {
  const consul = await consulWith({ orders: [{ address: "127.0.0.1", port: a.port, ...instance }] });
  const { ask } = await gatewayFor({ ...consul.provider, ...more });
  expect(await ask("/orders/1")).toBe(expected);
});

const faults: readonly Readonly<{ about: string; fault: RegistryFault }>[] = [
  { about: "away", fault: { kind: "away" } },
  { about: "broken", fault: { kind: "status", status: 500 } },
  { about: "cut off in the middle of an answer", fault: { kind: "cut" } },
  { about: "talking nonsense", fault: { kind: "nonsense", text: "<html>" } },
  { about: "answering something else", fault: { kind: "nonsense", text: '{"Node":{}}' } },
  { about: "answering a list of something else", fault: { kind: "nonsense", text: "[1,null]" } },
  { about: "pointing elsewhere", fault: { kind: "redirect", to: "http://169.254.169.254/" } },
];

test.each(faults)("while Consul is $about, its last list goes on, and the gateway says so", async ({ fault }) => {
  const consul = await consulWith({ orders: [a] });
  const { ask, gateway } = await gatewayFor(consul.provider);
  expect(await ask("/orders/1")).toBe("a /1");
  expect(gateway.health().degraded).toEqual([]);
  consul.fault(fault);
  await eventually(
    () => gateway.health().degraded.length,
    (length) => length === 1,
  );
  expect([gateway.health().degraded, await ask("/orders/1")]).toEqual([["registry Consul"], "a /1"]);
  consul.setInstances("orders", [b]);
  consul.fault();
  expect(
    await eventually(
      () => ask("/orders/1"),
      (answer) => answer !== "a /1",
    ),
  ).toBe("b /1");
  await eventually(
    () => gateway.health().degraded.length,
    (length) => length === 0,
  );
});

test("a gateway is ready when it knows where the services run that it names, and stays so when a reload adds one", async () => {
  const consul = await consulWith({ orders: [a] });
  consul.fault({ kind: "slow", seconds: 30 });
  const { gateway } = await gatewayFor(consul.provider);
  await eventually(consul.requests, ({ length }) => length === 1);
  expect(gateway.health().status).toBe("starting");
  consul.fault();
  const status = await eventually(
    () => gateway.health().status,
    (found) => found !== "starting",
  );
  expect(status).toBe("ready");
  consul.fault({ kind: "slow", seconds: 30 });
  const Routes = [routeTo("orders"), routeTo("parts")];
  const GlobalConfiguration = { ServiceDiscoveryProvider: consul.provider };
  await gateway.reload(parseConfig({ Routes, GlobalConfiguration }, { logger: false }));
  await eventually(consul.requests, (all) => all.some(({ url }) => url.includes("parts")));
  expect(gateway.health().status).toBe("ready");
});

test("a list that is too old does not count any more", async () => {
  const consul = await consulWith({ orders: [a] });
  const { ask, gateway } = await gatewayFor({ ...consul.provider, MaxStale: 0.05 });
  expect(await ask("/orders/1")).toBe("a /1");
  consul.fault({ kind: "away" });
  expect(
    await eventually(
      () => ask("/orders/1"),
      (answer) => answer === "503",
    ),
  ).toBe("503");
  consul.fault();
  expect(
    await eventually(
      () => ask("/orders/1"),
      (answer) => answer !== "503",
    ),
  ).toBe("a /1");
  await eventually(
    () => gateway.health().degraded.length,
    (length) => length === 0,
  );
});

test("a Consul that is restarted with a lower index is believed from then on", async () => {
  const consul = await consulWith({ orders: [a] });
  for (let count = 0; count < 50; count += 1) consul.setInstances("orders", [a]);
  const { ask } = await gatewayFor(consul.provider);
  expect(await ask("/orders/1")).toBe("a /1");
  await eventually(consul.requests, ({ length }) => length >= 2);
  consul.setInstances("orders", [b]);
  consul.restart();
  expect(
    await eventually(
      () => ask("/orders/1"),
      (answer) => answer !== "a /1",
    ),
  ).toBe("b /1");
  consul.setInstances("orders", [a]);
  expect(
    await eventually(
      () => ask("/orders/1"),
      (answer) => answer !== "b /1",
    ),
  ).toBe("a /1");
});

test("a Consul without index, and PollConsul, are asked at intervals", async () => {
  for (const Type of ["Consul", "PollConsul"]) {
    const consul = await consulWith({ orders: [a] });
    if (Type === "Consul") consul.fault({ kind: "no-index" });
    const { ask } = await gatewayFor({ ...consul.provider, Type, PollingInterval: 30 });
    expect(await ask("/orders/1")).toBe("a /1");
    consul.setInstances("orders", [b]);
    expect(
      await eventually(
        () => ask("/orders/1"),
        (answer) => answer !== "a /1",
      ),
    ).toBe("b /1");
    expect(consul.requests().every(({ url }) => url === "/v1/health/service/orders?passing")).toBe(true);
  }
});

test("a reload keeps what is known, and asks nobody anew about services that stay", async () => {
  const consul = await consulWith({ orders: [a], parts: [b] });
  const global = { GlobalConfiguration: { ServiceDiscoveryProvider: consul.provider } };
  const { origin, gateway, close } = await startGateway({ Routes: [routeTo("orders")], ...global });
  closing.push(close);
  expect(await (await fetch(`${origin}/orders/1`)).text()).toBe("a /1");
  await eventually(consul.requests, ({ length }) => length >= 2);
  consul.fault({ kind: "away" });
  await gateway.reload(parseConfig({ Routes: [routeTo("orders", { Timeout: 7 }), routeTo("parts")], ...global }));
  expect(await (await fetch(`${origin}/orders/2`)).text()).toBe("a /2");
  consul.fault();
  expect(await (await fetch(`${origin}/parts/1`)).text()).toBe("b /1");
});

test("a reload that fails leaves none of the services that it names behind", async () => {
  const { gateway, configOf } = tableGateway();
  const watched = (): readonly string[] =>
    liveOf(gateway)!
      .mechanisms.discovery.watched()
      .map(({ service }) => service.name)
      .toSorted();
  const wrong = { LoadBalancerOptions: { Type: "Nobodys" } };
  for (let index = 0; index < 3; index += 1) {
    await expect(gateway.reload(configOf(`service-${index}`, wrong))).rejects.toThrow("Nobodys");
    expect(watched()).toEqual(["first", "fixed"]);
  }
  await gateway.reload(configOf("second"));
  expect(watched()).toEqual(["fixed", "second"]);
});

test("a reload may name a service of which a client has just learnt that there is none", async () => {
  const ignore = (): void => undefined;
  const logger = { error: ignore, warn: ignore, info: ignore, debug: ignore };
  const discovery = createDiscovery({ logger, changed: ignore });
  closing.push(async () => discovery.close());
  const { promise: asked, resolve: tell } = Promise.withResolvers<void>();
  const own: InstanceFinder = async (_service, update) => {
    await asked;
    update([]);
  };
  const first = discovery.prepare();
  const provider = first.provider("table", () =>
    createProvider({ name: "Table", key: "table", config: { Type: "Table" }, tls: undefined, own }),
  );
  first.settle(new Set(), new Set([provider]));
  discovery.unlisted.find(provider, { name: "orders" });
  const reloading = discovery.prepare();
  const orders = reloading.watch(provider, { name: "orders" });
  tell();
  while (discovery.watched().length > 0) await nextTurn();
  reloading.settle(new Set([orders]), new Set([provider]));
  expect(orders.hasEnded()).toBe(false);
  expect(discovery.watched()).toEqual([orders]);
});

test("a gateway that is closed asks nobody any more", async () => {
  const consul = await consulWith({ orders: [a] });
  const { gateway, ask } = await gatewayFor(consul.provider);
  await ask("/orders/1");
  // The second is held open until something changes.
  await eventually(consul.requests, ({ length }) => length >= 2);
  await gateway.close();
  const asked = consul.requests().length;
  consul.setInstances("orders", [b]);
  consul.setInstances("orders", [a]);
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(consul.requests()).toHaveLength(asked);
});
