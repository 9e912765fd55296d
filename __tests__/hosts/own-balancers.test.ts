import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { createGateway, type Host, type OwnBalancer, parseConfig } from "../../src/index.ts";
import { configOf, startHost, startHosts, type ToldHost } from "./start-hosts.ts";

const cleanups: (() => Promise<unknown>)[] = [];
let hosts: readonly ToldHost[] = [];

beforeAll(async () => {
  hosts = await Promise.all(["a", "b", "c"].map(startHost));
});
afterEach(async () => {
  for (const host of hosts) host.does = 200;
  for (const cleanup of cleanups.splice(0)) await cleanup();
});
afterAll(() => Promise.all(hosts.map(({ close }) => close())));

const last: OwnBalancer = (given) => given.at(-1)!;

async function start(balancer: OwnBalancer, route: object = {}) {
  const options = { balancers: { mine: balancer } };
  const gateway = await startHosts(hosts, { LoadBalancerOptions: { Type: "mine" }, ...route }, options);
  cleanups.push(gateway.close);
  return gateway;
}

test("a balancer of one's own chooses, and sees what is known of each host", async () => {
  const seen: (readonly Host[])[] = [];
  const gateway = await start((given) => {
    seen.push(given);
    return last(given, undefined as never);
  });
  expect(await gateway.ask()).toBe("c");
  const known = { host: "127.0.0.1", scheme: "http", weight: 1, inFlight: 0, healthy: true };
  expect(seen).toEqual([hosts.map(({ port }) => ({ ...known, port }))]);
});

test("it reads the request", async () => {
  const gateway = await start((given, { req }) => given[req.method === "POST" ? 1 : 0]!);
  expect([await gateway.ask(), await gateway.ask("/x", { method: "POST" })]).toEqual(["a", "b"]);
});

test("it does not see a host that is left alone, nor one that has refused this request", async () => {
  hosts[2]!.does = 500;
  const gateway = await start(last, { QoSOptions: { MinimumThroughput: 1 } });
  expect([await gateway.ask(), await gateway.ask()]).toEqual(["500", "b"]);
});

describe("what it does wrong is an error of the request", () => {
  test.each<{ why: string; balancer: unknown }>([
    { why: "it throws", balancer: () => JSON.parse("{") as never },
    { why: "it returns nothing", balancer: () => undefined },
    { why: "it returns a promise", balancer: async (given: readonly Host[]) => given[0] },
    { why: "it returns a promise that fails", balancer: () => Promise.reject(new Error("later")) },
    { why: "it returns a host of its own making", balancer: (given: readonly Host[]) => ({ ...given[0] }) },
  ])("$why", async ({ balancer }) => {
    const gateway = await start(balancer as OwnBalancer);
    expect(await gateway.ask()).toBe("500");
  });
});

describe("a name that the option does not have stops the start", () => {
  test.each([
    { Type: "other", says: '"LoadBalancerOptions" of a route names "other": the option balancers' },
    { Type: "Mine", says: 'did you mean "mine"?' },
    { Type: "toString", says: 'names "toString"' },
  ])("$Type", ({ Type, says }) => {
    const config = parseConfig(configOf(hosts, { LoadBalancerOptions: { Type } }), { logger: false });
    expect(() => createGateway(config, { balancers: { mine: last }, logger: false })).toThrow(says);
  });

  test.each(["roundrobin", " LEASTCONNECTION ", "NoLoadBalancer"])("%s is built in, in any spelling", async (Type) => {
    const gateway = await startHosts(hosts, { LoadBalancerOptions: { Type } });
    cleanups.push(gateway.close);
    expect(await gateway.ask()).toBe("a");
  });
});
