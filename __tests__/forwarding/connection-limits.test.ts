import type { Socket } from "node:net";
import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, test } from "@jest/globals";
import { createGateway, type DelegatingHandler, parseConfig } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { serve } from "../helpers/start-gateway.ts";
import { startUpstream } from "../helpers/start-upstream.ts";
import { until } from "../reload/scene.ts";

const ending: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

/** An upstream that answers when it is told to, and knows its connections. */
async function startHolding() {
  const held: ServerResponse[] = [];
  const upstream = await startUpstream((req, res) => {
    req.resume();
    held.push(res);
  });
  const sockets = new Set<Socket>();
  upstream.server.on("connection", (socket) => void sockets.add(socket));
  ending.push(() => upstream.close());
  return { ...upstream, sockets, held, answer: () => held.shift()!.end("done") };
}

type Start = Readonly<{ ports: readonly number[]; route?: object; handlers?: DelegatingHandler[] }>;

describe.each(engines)("With $name,", ({ create }) => {
  async function startGateway({ ports, route = {}, handlers = [] }: Start): Promise<string> {
    const Routes = ["/a", "/b"].map((path) => ({
      UpstreamPathTemplate: `${path}/{rest}`,
      DownstreamPathTemplate: "/{rest}",
      DownstreamHostAndPorts: ports.map((Port) => ({ Host: "127.0.0.1", Port })),
      LoadBalancerOptions: { Type: "RoundRobin" },
      ...route,
    }));
    const config = parseConfig({ Routes }, { logger: false });
    const gateway = createGateway(config, { logger: false, engine: create(), handlers });
    const running = await serve(gateway, gateway);
    ending.push(() => running.close());
    return running.origin;
  }

  const limited = { HttpHandlerOptions: { MaxConnectionsPerServer: 2 } };

  test("a host has as many requests at the same time as it may have connections, and others wait in line", async () => {
    const upstream = await startHolding();
    const origin = await startGateway({ ports: [upstream.port], route: limited });
    const answers = Array.from({ length: 20 }, (_, index) => fetch(`${origin}/a/${index}`));
    for (let answered = 0; answered < 20; answered += 1) {
      await until(() => upstream.held.length === Math.min(2, 20 - answered));
      upstream.answer();
    }
    const bodies = await Promise.all(answers.map(async (answer) => (await answer).text()));
    expect(new Set(bodies)).toEqual(new Set(["done"]));
    expect(upstream.sockets.size).toBe(2);
  });

  test("each host and each route has a line of its own", async () => {
    const [one, other] = [await startHolding(), await startHolding()];
    const origin = await startGateway({
      ports: [one.port, other.port],
      route: { HttpHandlerOptions: { MaxConnectionsPerServer: 1 } },
    });
    const answers = ["a", "a", "b", "b"].map((path) => fetch(`${origin}/${path}/x`));
    await until(() => one.held.length === 2 && other.held.length === 2);
    for (const upstream of [one, one, other, other]) upstream.answer();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  test("a client that leaves the line keeps nobody waiting, and one that leaves its answer gives up its place", async () => {
    const upstream = await startHolding();
    const route = { HttpHandlerOptions: { MaxConnectionsPerServer: 1 } };
    const origin = await startGateway({ ports: [upstream.port], route });
    const leaving = [new AbortController(), new AbortController()];
    const left = leaving.map(({ signal }) => fetch(`${origin}/a/leaving`, { signal }).catch(() => "left"));
    await until(() => upstream.held.length === 1);
    const staying = fetch(`${origin}/a/staying`);
    for (const controller of leaving.toReversed()) controller.abort();
    expect(await Promise.all(left)).toEqual(["left", "left"]);
    await until(() => upstream.held.length === 2);
    upstream.held.at(-1)!.end("done");
    expect(await (await staying).text()).toBe("done");
    expect(upstream.requests.map(({ target }) => target)).toEqual(["/leaving", "/staying"]);
  });

  test("who waits in line does so in the time of its answer", async () => {
    const upstream = await startHolding();
    const route = { HttpHandlerOptions: { MaxConnectionsPerServer: 1 }, QoSOptions: { Timeout: 300 } };
    const origin = await startGateway({ ports: [upstream.port], route });
    const answers = [fetch(`${origin}/a/first`), fetch(`${origin}/a/second`)];
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([504, 504]);
  });

  test("a handler that asks twice does not wait for itself", async () => {
    const upstream = await startHolding();
    const route = { HttpHandlerOptions: { MaxConnectionsPerServer: 1 } };
    const twice: DelegatingHandler = async (_outgoing, next) => {
      await next();
      return next();
    };
    const origin = await startGateway({ ports: [upstream.port], route, handlers: [twice] });
    const answer = fetch(`${origin}/a/x`);
    await until(() => upstream.held.length === 1);
    upstream.answer();
    await until(() => upstream.held.length === 1);
    upstream.answer();
    expect((await answer).status).toBe(200);
  });

  test("a handler that asks twice at the same time does not wait for itself, however full the line is", async () => {
    const upstream = await startHolding();
    const route = { HttpHandlerOptions: { MaxConnectionsPerServer: 1 } };
    const asked: string[] = [];
    const twice: DelegatingHandler = async ({ path }, next) => {
      const answers = path === "/twice" ? [next(), next()] : [next()];
      asked.push(path);
      const [first, second = first] = await Promise.all(answers);
      if (first !== second) first!.body.resume();
      return second!;
    };
    const origin = await startGateway({ ports: [upstream.port], route, handlers: [twice] });
    const before = fetch(`${origin}/a/before`);
    await until(() => upstream.held.length === 1);
    const answer = fetch(`${origin}/a/twice`);
    await until(() => asked.length === 2);
    const behind = fetch(`${origin}/a/behind`);
    await until(() => asked.length === 3);
    upstream.answer();
    await until(() => upstream.held.length === 2);
    upstream.answer();
    upstream.answer();
    await until(() => upstream.held.length === 1);
    upstream.answer();
    const statuses = (await Promise.all([before, answer, behind])).map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 200]);
    expect(upstream.requests.map(({ target }) => target)).toEqual(["/before", "/twice", "/twice", "/behind"]);
  });

  test.each([
    ["any number of connections, where there is no limit", {}, 5],
    ["0 is no limit", { MaxConnectionsPerServer: 0 }, 5],
    ["nor is a negative number", { MaxConnectionsPerServer: -1 }, 5],
    ["nor what .NET has for none", { MaxConnectionsPerServer: 2147483647 }, 5],
  ])("%s", async (_name, options, connections) => {
    const upstream = await startHolding();
    const origin = await startGateway({ ports: [upstream.port], route: { HttpHandlerOptions: options } });
    const answers = Array.from({ length: 5 }, () => fetch(`${origin}/a/x`));
    await until(() => upstream.held.length === connections);
    for (let index = 0; index < 5; index += 1) upstream.answer();
    await Promise.all(answers);
  });

  test.each([
    ["is used again, as long as nothing else is said", {}, 1],
    ["is used again before its time is over", { PooledConnectionLifetimeSeconds: 60 }, 1],
    ["is used for one request, where it may not grow old", { PooledConnectionLifetimeSeconds: 0 }, 4],
    ["is used no more when its time is over", { PooledConnectionLifetimeSeconds: 0.02 }, 4],
  ])("a connection %s", async (_name, options, connections) => {
    const upstream = await startUpstream();
    ending.push(() => upstream.close());
    const sockets = new Set<Socket>();
    upstream.server.on("connection", (socket) => void sockets.add(socket));
    const origin = await startGateway({ ports: [upstream.port], route: { HttpHandlerOptions: options } });
    for (let count = 0; count < 4; count += 1) {
      expect((await fetch(`${origin}/a/x`)).status).toBe(200);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    expect(sockets.size).toBe(connections);
  });
});

test.each([
  ["a jar of cookies", { UseCookieContainer: true }],
  ["a connection that is too old before it begins", { PooledConnectionLifetimeSeconds: -1 }],
  ["a word for a number", { MaxConnectionsPerServer: "many" }],
])("%s stops the start", (_name, options) => {
  const route = { UpstreamPathTemplate: "/x", DownstreamPathTemplate: "/", DownstreamHostAndPorts: [{ Host: "a" }] };
  const written = { Routes: [{ ...route, HttpHandlerOptions: options }] };
  const global = { Routes: [route], GlobalConfiguration: { HttpHandlerOptions: options } };
  for (const config of [written, global]) expect(() => parseConfig(config, { logger: false })).toThrow();
});
