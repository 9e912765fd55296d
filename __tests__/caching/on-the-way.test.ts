import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import express from "express";
import { createGateway, parseConfig } from "../../src/index.ts";
import { type RunningGateway, serve } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";
import { askAt, configOf } from "./cached-route.ts";

let upstream: Upstream;
let running: RunningGateway;

const route = (more: object = {}): unknown =>
  (configOf(upstream.port, { route: more }) as { Routes: unknown[] }).Routes[0];
const transforming = (name: string): unknown =>
  route({
    UpstreamPathTemplate: `/set/${name}`,
    DownstreamPathTemplate: "/",
    UpstreamHeaderTransform: { [name]: "{RemoteIpAddress}" },
  });

beforeAll(async () => {
  upstream = await startUpstream((req, res) => res.end(JSON.stringify(req.headers)));
  const Routes = [...["X-Client-Addr", "X-Real-IP"].map(transforming), route()];
  const config = parseConfig({ Routes }, { logger: false });
  const gateway = createGateway(config, {
    logger: false,
    trustProxy: "loopback",
    middleware: [
      (req, _res, next) => {
        if (req.url.includes("?region")) req.headers["x-region"] = req.headers["x-way"]!;
        next();
      },
    ],
  });
  const app = express();
  app.use((req, _res, next) => {
    const { country } = req.query;
    if (typeof country === "string") req.headers["x-country"] = req.headers["x-way"];
    next();
  });
  app.use(gateway);
  running = await serve(app, gateway);
});
afterAll(() => Promise.all([running.close(), upstream.close()]));

describe("headers that were set on the way to the gateway tell answers apart", () => {
  test.each([
    { name: "X-Forwarded-User", again: false, why: "the proxy says who it is" },
    { name: "X-Forwarded-Groups", again: false, why: "the proxy says what he may see" },
    { name: "X-Forwarded-Port", again: false, why: "links in the answer may hold it" },
    { name: "X-Original-URL", again: false, why: "the service may take it for the path" },
    { name: "Forwarded", again: false, why: "it may say the same" },
    { name: "X-Forwarded-For", again: true, why: "it is another one for each client" },
    { name: "X-Real-Ip", again: true, why: "it is another one for each client" },
  ])("$name of a trusted proxy, as $why", async ({ name, again }) => {
    const path = `/${name}`;
    const first = await askAt(running.port, { path, headers: { [name]: "10.0.0.1" } });
    const other = await askAt(running.port, { path, headers: { [name]: "10.0.0.2" } });
    const same = await askAt(running.port, { path, headers: { [name]: "10.0.0.1" } });
    expect(first.body).toContain("10.0.0.1");
    expect(other.body.includes("10.0.0.1")).toBe(again);
    if (name !== "X-Forwarded-User") expect(same.body).toBe(first.body);
  });

  test("what middleware before the gateway has set, though the client has sent nothing of it", async () => {
    const ask = async (country: string): Promise<unknown> => {
      const { body } = await askAt(running.port, { path: "/map?country", headers: { "x-way": country } });
      return (JSON.parse(body) as Record<string, unknown>)["x-country"];
    };
    expect([await ask("at"), await ask("ch"), await ask("at")]).toEqual(["at", "ch", "at"]);
    const calls = upstream.requests.filter(({ target }) => target.startsWith("/map"));
    expect(calls).toHaveLength(2);
  });

  test.each([
    { who: "middleware before the gateway", path: "/own?country", name: "x-country" },
    { who: "middleware of the gateway", path: "/own?region", name: "x-region" },
  ])("what $who sets, also where clients send the very same", async ({ path, name }) => {
    const ask = async (way: string, sent: Readonly<Record<string, string>>): Promise<unknown> => {
      const { body } = await askAt(running.port, { path, headers: { "x-way": way, ...sent } });
      return (JSON.parse(body) as Record<string, unknown>)[name];
    };
    const ways = [await ask("at", {}), await ask("ch", { [name]: "ch" }), await ask("it", { [name]: "it" })];
    expect(ways).toEqual(["at", "ch", "it"]);
    expect([await ask("ch", {}), await ask("it", { [name]: "ch" })]).toEqual(["ch", "it"]);
    expect(upstream.requests.filter(({ target }) => target === path)).toHaveLength(3);
  });

  test.each(["X-Client-Addr", "X-Real-IP"])(
    "what a transform sets, also where clients send the same: %s",
    async (name) => {
      const ask = async (address: string, sent: Readonly<Record<string, string>>): Promise<unknown> => {
        const headers = { "x-forwarded-for": address, ...sent };
        const { body } = await askAt(running.port, { path: `/set/${name}`, headers });
        return (JSON.parse(body) as Record<string, unknown>)[name.toLowerCase()];
      };
      const addresses = ["10.0.0.1", "10.0.0.2"];
      for (const address of addresses) expect(await ask(address, { [name]: address })).toBe(address);
      for (const address of addresses) expect(await ask(address, {})).toBe(address);
    },
  );
});
