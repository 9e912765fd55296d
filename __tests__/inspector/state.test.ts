import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { Registry } from "prom-client";
import { parseConfig } from "../../src/index.ts";
import { prometheusMetrics } from "../../src/prometheus.ts";
import { request } from "../helpers/send-raw.ts";
import { configFor, secrets, startScene, startSceneOf } from "./scene.ts";
import { markup, purge, startStateScene, type State, type StateScene } from "./state-scene.ts";

let scene: StateScene;
beforeEach(async () => {
  scene = await startStateScene();
});
afterEach(() => scene.close());

describe("how a gateway is doing", () => {
  test("is told of hosts, with their breakers, and of those in trouble first", async () => {
    const { hosts } = await scene.state();
    expect(hosts.rows.map(({ route, state, watchedBy, from }) => [route, state, watchedBy, from])).toEqual([
      [markup, "up", [], "the configuration"],
      ["pair", "up", ["circuit breaker"], "the configuration"],
      ["pair", "up", ["circuit breaker"], "the configuration"],
      ["limited", "up", [], "the configuration"],
      ["cached", "up", [], "the configuration"],
      ["other", "up", [], "the configuration"],
      ["found", "up", [], `${markup}://orders`],
    ]);
    await scene.second.refuse();
    for (let time = 0; time < 4; time += 1) await scene.ask("/pair");
    const [first] = (await scene.state()).hosts.rows;
    expect(first).toMatchObject({
      route: "pair",
      host: scene.second.origin,
      state: "open",
      stateIn: 1,
      isSticky: true,
    });
    expect(first!.wait).toBeGreaterThan(50_000);
  });

  test("is told of limits, caches, aggregates, services, and the last five minutes", async () => {
    for (const path of ["/limited", "/limited", "/limited", "/cached", "/cached", "/plain", "/found"])
      await scene.ask(path);
    await scene.ask("/both");
    const state = await scene.state();
    expect(state.limits).toEqual([
      expect.objectContaining({
        route: "limited",
        rule: "2 per 1h for each Oc-Client",
        requests: 3,
        refused: 1,
        status: 429,
      }),
    ]);
    expect(state.store).toEqual({ name: "the memory of this process", isAway: false });
    expect(state.caches).toMatchObject([
      { route: "cached", region: markup, hit: 1, miss: 1 },
      { route: "other", hit: 0, miss: 0 },
    ]);
    expect(state.kept!.entries).toBe(1);
    expect(state.aggregates).toMatchObject([
      { route: "both", upstream: "/both", parts: ["limited", "cached"], requests: 1 },
    ]);
    expect(state.services).toMatchObject([
      { service: "orders", registry: markup, instances: ["http://orders.test:1"], count: 1, isFailing: false },
    ]);
    expect(state.total).toMatchObject({ requests: 8, errors: 3 });
    expect(state.points.reduce((all, { requests }) => all + Number(requests), 0)).toBe(8);
    expect(state.processes).toBe(1);
  });

  test("is told of the latest ten reloads, refused ones too", async () => {
    const config = parseConfig(configFor(1), { logger: false });
    await scene.gateway.reload(config);
    await scene.gateway.reload(parseConfig({ Routes: [] }, { logger: false })).catch(() => undefined);
    const { reloads } = await scene.state();
    expect(reloads).toMatchObject([
      { failure: expect.stringContaining("has no routes") },
      { added: 4, removed: 7, changed: 0 },
    ]);
    for (let time = 0; time < 12; time += 1) await scene.gateway.reload(config);
    expect((await scene.state()).reloads).toHaveLength(10);
  });

  test("is told of services that no configuration names, which metrics are not", async () => {
    const register = new Registry();
    const other = await startSceneOf(
      () => ({
        GlobalConfiguration: {
          ServiceDiscoveryProvider: { Type: "own", AllowAnyService: true, AllowAddresses: ["127.0.0.1"] },
          DownstreamScheme: "http",
          LoadBalancerOptions: { Type: "RoundRobin" },
        },
      }),
      {
        gateway: {
          observers: [prometheusMetrics({ register })],
          discovery: {
            own: async (_service, update, signal) => {
              update([{ host: "127.0.0.1", port: 1 }]);
              await new Promise((resolve) => signal.addEventListener("abort", resolve));
            },
          },
        },
      },
    );
    await request({ port: other.port, path: "/gw/orders/7" });
    const headers = { Cookie: other.cookie };
    const { body } = await request({ port: other.port, path: "/_gateway/state", headers });
    const { hosts, services } = JSON.parse(body.toString()) as State;
    expect(hosts.rows).toMatchObject([{ route: "dynamic-orders", host: "http://127.0.0.1:1", from: "own://orders" }]);
    expect(services).toMatchObject([{ service: "orders", registry: "own", count: 1 }]);
    expect(await register.metrics()).not.toContain("orders");
    await other.close();
  });

  test("holds no secret", async () => {
    const other = await startScene();
    const { body } = await request({ port: other.port, path: "/_gateway/state", headers: { Cookie: other.cookie } });
    expect(secrets.filter((secret) => body.includes(secret))).toEqual([]);
    await other.close();
  });
});

describe("cached answers", () => {
  const fill = async (): Promise<void> => {
    for (const path of ["/cached", "/cached", "/other", "/other"]) await scene.ask(path);
  };
  const rows: [what: string, asked: unknown, left: number][] = [
    ["all", {}, 0],
    ["those of a region", { region: markup }, 1],
    ["those of a route", { route: "other" }, 1],
    ["those of a region that a route has not", { region: markup, route: "other" }, 2],
  ];
  test.each(rows)("are thrown away: %s", async (_what, asked, left) => {
    await fill();
    expect((await scene.state()).kept!.entries).toBe(2);
    expect(await purge(scene, asked)).toBe('200 {"purged":true}');
    expect((await scene.state()).kept!.entries).toBe(left);
    const before = scene.upstream.requests.length;
    await fill();
    expect(scene.upstream.requests.length - before).toBe(2 - left);
  });

  const refusals: [reason: string, asked: unknown, change: Record<string, string | undefined>, expected: string][] = [
    ["no origin, as of no browser", {}, { Origin: undefined }, "403 "],
    ["another origin", {}, { Origin: "http://evil.example" }, "403 "],
    ["a page without origin", {}, { Origin: "null" }, "403 "],
    ["another site", {}, { "Sec-Fetch-Site": "cross-site" }, "403 "],
    ["no token", {}, { "X-Waymark-Token": undefined }, "403 "],
    ["a wrong token", {}, { "X-Waymark-Token": "x".repeat(43) }, "403 "],
    ["no cookie", {}, { Cookie: undefined }, "403 "],
    ["another name of the host", {}, { Host: "evil.example" }, "403 "],
    ["a proxy on the way", {}, { Via: "1.1 a" }, "403 "],
    ["a form", "a=1", { "Content-Type": "application/x-www-form-urlencoded" }, "400 "],
    ["no JSON", "{", {}, "400 "],
    ["no object", "7", {}, "400 "],
    ["a route that is not there", { route: "nowhere" }, {}, "400 "],
    ["a region that is no text", { region: 7 }, {}, "400 "],
    ["something unknown", { all: true }, {}, "400 "],
    ["too much", `{"region":"${"x".repeat(70_000)}"}`, {}, "400 "],
  ];
  test("stay where somebody else than the page asks, or not for that", async () => {
    await fill();
    for (const [reason, asked, change, expected] of refusals) {
      expect([reason, await purge(scene, asked, change)]).toEqual([reason, expect.stringContaining(expected)]);
    }
    expect((await scene.state()).kept!.entries).toBe(2);
  });
});
