import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import express from "express";
import { createGateway, type GatewayOptions, parseConfig } from "../../src/index.ts";
import { request } from "../helpers/send-raw.ts";
import { serve } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

let upstream: Upstream;
beforeAll(async () => {
  upstream = await startUpstream((_req, res) => {
    res.writeHead(200, {
      "Set-Cookie": ["a=1", "b=2"],
      Vary: "Accept",
      Connection: "x-hop",
      "X-Hop": "1",
      "X-Own": "upstream",
    });
    res.end();
  });
});
afterAll(() => upstream.close());

async function ask(
  options: GatewayOptions,
  headers: Record<string, string>,
  settings: { trust?: unknown; global?: object } = {},
) {
  const config = {
    Routes: [
      {
        UpstreamPathTemplate: "/x",
        DownstreamPathTemplate: "/",
        DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
      },
    ],
    GlobalConfiguration: settings.global ?? {},
  };
  const gateway = createGateway(parseConfig(config, { logger: false }), { logger: false, ...options });
  const app = express();
  if (settings.trust !== undefined) app.set("trust proxy", settings.trust);
  app.use((_req, res, next) => {
    res.setHeader("Set-Cookie", "mine=0").setHeader("Vary", "Origin").setHeader("X-Own", "app");
    next();
  });
  app.use("/gw", gateway);
  const running = await serve(app, gateway);
  const answer = await request({ port: running.port, path: "/gw/x", headers: { host: "shop.example", ...headers } });
  await running.close();
  return { answer, arrived: upstream.requests.at(-1)!.headers };
}

const forwarded = (headers: Record<string, unknown>) =>
  ["for", "proto", "host", "prefix"].map((name) => headers[`x-forwarded-${name}`]);

describe("who asked", () => {
  test.each([
    ["an untrusted peer's word is replaced", {}, undefined, ["127.0.0.1", "http", "shop.example", "/gw"]],
    [
      "a trusted peer's word is kept, and it is appended",
      { trustProxy: "loopback" },
      undefined,
      ["1.2.3.4, 127.0.0.1", "https", "outer.example", "/a/gw"],
    ],
    [
      "the app's trust counts where there is no option",
      {},
      "loopback",
      ["1.2.3.4, 127.0.0.1", "https", "outer.example", "/a/gw"],
    ],
    ["the option goes over the app's", { trustProxy: false }, "loopback", ["127.0.0.1", "http", "shop.example", "/gw"]],
    [
      "other peers being trusted does not help",
      { trustProxy: "10.0.0.0/8" },
      undefined,
      ["127.0.0.1", "http", "shop.example", "/gw"],
    ],
  ])("%s", async (_title, options, trust, expected) => {
    const { arrived } = await ask(
      options,
      {
        "x-forwarded-for": "1.2.3.4",
        "x-forwarded-proto": "https",
        "x-forwarded-host": "outer.example",
        "x-forwarded-prefix": "/a",
      },
      { trust },
    );
    expect(forwarded(arrived)).toEqual(expected);
    expect(arrived.host).toBe(`127.0.0.1:${upstream.port}`);
  });

  test.each([
    "Forwarded",
    "X-Forwarded-Port",
    "X-Forwarded-Ssl",
    "X-Real-IP",
    "X-Original-URL",
    "X-Original-Host",
    "X-Rewrite-URL",
    "X-Client-Certificate",
  ])("%s of an untrusted peer is dropped, of a trusted one kept", async (name) => {
    const untrusted = await ask({}, { [name]: "spoofed" });
    const trusted = await ask({ trustProxy: true }, { [name]: "said" });
    expect([untrusted.arrived[name.toLowerCase()], trusted.arrived[name.toLowerCase()]]).toEqual([undefined, "said"]);
  });

  test("Via stands in both directions only when asked for", async () => {
    const without = await ask({}, {});
    const along = await ask({ via: true }, {});
    expect([without.arrived.via, without.answer.headers.via]).toEqual([undefined, undefined]);
    expect([along.arrived.via, along.answer.headers.via]).toEqual(["1.1 waymark", "1.1 waymark"]);
  });
});

describe("the answer's headers", () => {
  test("cookies are appended, Vary is merged, hop-by-hop goes, elsewhere the upstream's win", async () => {
    const { answer } = await ask({}, {});
    expect(answer.headers["set-cookie"]).toEqual(["mine=0", "a=1", "b=2"]);
    expect([answer.headers.vary, answer.headers["x-own"], answer.headers["x-hop"]]).toEqual([
      "Origin, Accept",
      "upstream",
      undefined,
    ]);
  });
});

describe("request ids", () => {
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

  test.each([
    ["a sane one is passed on", "abc-123", /^abc-123$/],
    ["none becomes a new one", undefined, uuid],
    ["one with a blank is replaced", "a b", uuid],
    ["one of 129 characters is replaced", "x".repeat(129), uuid],
    ["one of 128 characters is passed on", "x".repeat(128), /^x{128}$/],
  ])("%s", async (_title, id, expected) => {
    const { answer, arrived } = await ask({}, id === undefined ? {} : { "x-request": id }, {
      global: { RequestIdKey: "X-Request" },
    });
    expect(arrived["x-request"]).toMatch(expected);
    expect(answer.headers["x-request"]).toBe(arrived["x-request"]);
  });

  test("nothing is added without the key", async () => {
    const { answer } = await ask({}, { "x-request": "1" });
    expect(answer.headers["x-request"]).toBeUndefined();
  });
});
