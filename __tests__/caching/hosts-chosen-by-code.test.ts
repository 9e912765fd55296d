import { afterEach, describe, expect, test } from "@jest/globals";
import type { DelegatingHandler, GatewayOptions, OwnBalancer } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { type RunningGateway, startGateway } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";
import { askAt } from "./cached-route.ts";

let hosts: readonly Upstream[] = [];
let running: RunningGateway | undefined;
afterEach(async () => {
  await running?.close();
  for (const host of hosts) await host.close();
});

const passOn: DelegatingHandler = (_outgoing, next) => next();

/** Sends each tenant to the host that has what is its. */
const byTenant: DelegatingHandler = (outgoing, next, { placeholders }) => {
  outgoing.origin = hosts[placeholders.tenant === "acme" ? 0 : 1]!.origin;
  return next();
};

const chooseByTenant: OwnBalancer = (all, { placeholders }) => all[placeholders.tenant === "acme" ? 0 : 1]!;

describe.each(engines)("a cache behind code that chooses hosts, with $name", ({ create }) => {
  test.each<[what: string, options: GatewayOptions, Type: string]>([
    ["a handler", { handlers: [byTenant] }, "RoundRobin"],
    ["an inner handler", { handlers: [passOn, byTenant] }, "RoundRobin"],
    ["a balancer", { balancers: { chooseByTenant } }, "chooseByTenant"],
    ["a balancer behind a handler", { balancers: { chooseByTenant }, handlers: [passOn] }, "chooseByTenant"],
  ])("gives no tenant what is another's: %s", async (_what, options, Type) => {
    await start(options, Type);
    const got: string[] = [];
    for (const tenant of ["acme", "evil", "acme", "evil", "evil", "acme"]) got.push(await ask(tenant));
    expect(got).toEqual(["at 0", "at 1", "at 0", "at 1", "at 1", "at 0"]);
    expect(hosts.flatMap(({ requests }) => requests)).toHaveLength(2);
  });

  test("keeps one answer for all hosts where handlers leave the choice to the gateway", async () => {
    await start({ handlers: [passOn, passOn] }, "RoundRobin");
    expect([await ask("acme"), await ask("acme"), await ask("acme")]).toEqual(["at 0", "at 0", "at 0"]);
  });

  async function start(options: GatewayOptions, Type: string): Promise<void> {
    hosts = await Promise.all([0, 1].map((host) => startUpstream((_req, res) => void res.end(`at ${host}`))));
    const route = {
      UpstreamPathTemplate: "/{tenant}/orders",
      DownstreamPathTemplate: "/orders",
      DownstreamHostAndPorts: hosts.map(({ port }) => ({ Host: "127.0.0.1", Port: port })),
      LoadBalancerOptions: { Type },
      CacheOptions: { TtlSeconds: 60 },
    };
    running = await startGateway({ Routes: [route] }, { engine: create(), ...options });
  }

  async function ask(tenant: string): Promise<string> {
    return (await askAt(running!.port, { path: `/${tenant}/orders` })).body;
  }
});
