import { afterEach, describe, expect, test } from "@jest/globals";
import type { DelegatingHandler, GatewayHandler, GatewayOptions, OwnBalancer } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { holdDeadPort } from "../helpers/hold-dead-port.ts";
import { type RunningGateway, startGateway } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";
import { askAt } from "./cached-route.ts";

let hosts: readonly Upstream[] = [];
let failing: Readonly<{ port: number; close: () => Promise<void> }> | undefined;
let running: RunningGateway | undefined;
afterEach(async () => {
  await running?.close();
  for (const host of hosts) await host.close();
  await failing?.close();
  failing = undefined;
});

const passOn: DelegatingHandler = (_outgoing, next) => next();

/** Sends each tenant to the host that has what is its. */
const byTenant: DelegatingHandler = (outgoing, next, { placeholders }) => {
  outgoing.origin = hosts[placeholders.tenant === "acme" ? 0 : 1]!.origin;
  return next();
};

const chooseByTenant: OwnBalancer = (all, { placeholders }) => {
  const { port: own } = hosts[placeholders.tenant === "acme" ? 0 : 1]!;
  return all.find(({ port }) => port === own)!;
};

/** Each tenant has a host of its own beside one for all. */
const chooseCommonFirst: OwnBalancer = (all, context) =>
  all.find(({ port }) => port === failing!.port) ?? chooseByTenant(all, context);

const sendToCommon: DelegatingHandler = (outgoing, next) => {
  outgoing.origin = `http://127.0.0.1:${failing!.port}`;
  return next();
};

async function refuse(): Promise<NonNullable<typeof failing>> {
  const { port, release: close } = await holdDeadPort();
  return { port, close };
}

const beIll = (): Promise<Upstream> => startUpstream((_req, res) => void res.writeHead(503).end());

/** Whose request it is, only middleware knows: the header goes no further. */
const takeTenant: GatewayHandler = (req, _res, next) => {
  Object.assign(req, { tenant: req.headers["x-tenant"] });
  delete req.headers["x-tenant"];
  next();
};

const chooseByTaken: OwnBalancer = (all, { req }) => all[(req as unknown as Known).tenant === "acme" ? 0 : 1]!;

type Known = Readonly<{ tenant: string }>;

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

  test.each<[what: string, options: GatewayOptions, Type: string]>([
    ["a placeholder", { balancers: { chooseByTenant } }, "chooseByTenant"],
    ["a header that middleware takes out", { balancers: { chooseByTaken }, middleware: [takeTenant] }, "chooseByTaken"],
  ])(
    "gives no tenant what is another's where it is asked before a balancer chooses: by %s",
    async (_, options, Type) => {
      await start(options, Type, { CacheOptions: { TtlSeconds: 60, BeforeHandlers: true } });
      const got: string[] = [];
      for (const tenant of ["acme", "evil", "acme", "evil"]) got.push(await ask(tenant));
      expect(got).toEqual(["at 0", "at 1", "at 0", "at 1"]);
      expect(hosts.flatMap(({ requests }) => requests)).toHaveLength(2);
    },
  );

  describe.each<[what: string, fail: () => Promise<NonNullable<typeof failing>>, settings: object]>([
    ["refuses", refuse, {}],
    ["fails, so that the next one is tried", beIll, { Retry: { Count: 1, Budget: 1 } }],
  ])("where the host that was chosen %s", (_what, fail, settings) => {
    test("gives no tenant what another's host has answered in its place", async () => {
      failing = await fail();
      await start({ balancers: { chooseCommonFirst } }, "chooseCommonFirst", settings);
      const got = [await Promise.all(["acme", "evil"].map(ask)), await Promise.all(["acme", "evil"].map(ask))];
      expect(got).toEqual([
        ["at 0", "at 1"],
        ["at 0", "at 1"],
      ]);
    });

    test("keeps nothing under the name of the host that a handler has set", async () => {
      failing = await fail();
      await start({ handlers: [sendToCommon] }, "NoLoadBalancer", settings);
      const { body, headers } = await askAt(running!.port, { path: "/acme/orders" });
      expect([body, headers["cache-status"]]).toEqual(["at 0", "waymark; fwd=uri-miss"]);
    });

    test("keeps what came from elsewhere where the gateway chose", async () => {
      failing = await fail();
      await start({ handlers: [passOn] }, "NoLoadBalancer", settings);
      const { body, headers } = await askAt(running!.port, { path: "/acme/orders" });
      expect([body, headers["cache-status"]]).toEqual(["at 0", "waymark; fwd=uri-miss; stored"]);
    });
  });

  test.each<[what: string, Type: string, toService: boolean]>([
    ["the route goes by a built-in one of its name", "RoundRobin", false],
    ["the naming service chooses", "chooseByTenant", true],
  ])("keeps for all what varies where a balancer is given that does not run: %s", async (_what, Type, toService) => {
    hosts = [await startUpstream((_req, res) => void res.setHeader("Vary", "X-Language").end("for all"))];
    const { port } = hosts[0]!;
    const never: OwnBalancer = () => {
      throw new Error("It does not run.");
    };
    const target = toService
      ? { ServiceName: "orders" }
      : { DownstreamHostAndPorts: [port, port].map((Port) => ({ Host: "127.0.0.1", Port })) };
    running = await startGateway(
      {
        Routes: [
          {
            ...{ UpstreamPathTemplate: "/{rest}", DownstreamPathTemplate: "/{rest}", ...target },
            LoadBalancerOptions: { Type },
            CacheOptions: { TtlSeconds: 60, BeforeHandlers: true },
          },
        ],
        GlobalConfiguration: { ServiceDiscoveryProvider: { Type: "ServiceCluster", Host: "127.0.0.1", Port: port } },
      },
      { engine: create(), balancers: { [Type]: never } },
    );
    await askAt(running.port);
    expect(String((await askAt(running.port)).headers["cache-status"])).toMatch("; hit");
  });

  async function start(options: GatewayOptions, Type: string, settings: object = {}): Promise<void> {
    hosts = await Promise.all([0, 1].map((host) => startUpstream((_req, res) => void res.end(`at ${host}`))));
    const route = {
      UpstreamPathTemplate: "/{tenant}/orders",
      DownstreamPathTemplate: "/orders",
      DownstreamHostAndPorts: [...(failing ? [failing] : []), ...hosts].map(({ port }) => ({
        Host: "127.0.0.1",
        Port: port,
      })),
      LoadBalancerOptions: { Type },
      CacheOptions: { TtlSeconds: 60 },
      ...settings,
    };
    running = await startGateway({ Routes: [route] }, { engine: create(), ...options });
  }

  async function ask(tenant: string): Promise<string> {
    return (await askAt(running!.port, { path: `/${tenant}/orders`, headers: { "x-tenant": tenant } })).body;
  }
});
