import crypto from "node:crypto";
import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import express from "express";
import { createGateway, type GatewayOptions, memoryStore, parseConfig, upgradeThrough } from "../../src/index.ts";
import { explainRequest } from "../../src/explain/explain-request.ts";
import { undiciEngine } from "../../src/undici.ts";
import { engines } from "../helpers/engines.ts";
import { type Answer, request } from "../helpers/send-raw.ts";
import { type RunningGateway, serve } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

type Section = Readonly<Record<string, unknown>>;
type Given = Readonly<{ limit?: Section; route?: Section; global?: Section; options?: GatewayOptions }>;

const ends: (() => Promise<unknown>)[] = [];
let upstream: Upstream;

beforeAll(async () => {
  upstream = await startUpstream();
});

afterEach(async () => {
  upstream.requests.splice(0);
  for (const end of ends.splice(0).reverse()) await end();
});

afterAll(() => upstream.close());

const one = { Limit: 1, Period: "1h" };

function configOf({ limit, route, global }: Given) {
  const target = { DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }] };
  const written = { UpstreamPathTemplate: "/x", DownstreamPathTemplate: "/x", ...target, RateLimitOptions: limit };
  return parseConfig({ Routes: [{ ...written, ...route }], GlobalConfiguration: global ?? {} }, { logger: false });
}

async function start(given: Given, appTrusts?: unknown): Promise<RunningGateway> {
  const gateway = createGateway(configOf(given), { logger: false, ...given.options });
  const app = express();
  if (appTrusts !== undefined) app.set("trust proxy", appTrusts);
  app.use(gateway).use((_req, res) => res.status(404).json(res.getHeaders()));
  const running = await serve(app, gateway);
  running.server.on("upgrade", upgradeThrough(app, { logger: false }));
  ends.push(running.close);
  return running;
}

function ask({ port }: RunningGateway, headers: http.OutgoingHttpHeaders = {}, method = "GET"): Promise<Answer> {
  return request({ port, path: "/x", headers, method });
}

async function statusesOf(running: RunningGateway, all: readonly http.OutgoingHttpHeaders[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const headers of all) statuses.push((await ask(running, headers)).status);
  return statuses;
}

const from = (address: string) => ({ "x-forwarded-for": address });

/** Sends a request and resets the connection, so that nobody can tell its address when the server reads it. */
async function askAndReset({ port, server }: RunningGateway): Promise<void> {
  const read = once(server, "request");
  const client = net.connect(port, "127.0.0.1").on("error", () => undefined);
  await once(client, "connect");
  client.write("GET /x HTTP/1.1\r\nHost: a\r\n\r\n", () => client.resetAndDestroy());
  await read;
}

test.each(engines)(
  "who has reset its connection before its request is read asks nothing, with $name",
  async (engine) => {
    const running = await start({
      limit: { Limit: 3, Period: "1h", By: "Address" },
      options: { engine: engine.create() },
    });
    for (let count = 0; count < 5; count += 1) await askAndReset(running);
    expect(await statusesOf(running, [{}, {}, {}, {}])).toEqual([200, 200, 200, 429]);
    expect(upstream.requests.map(({ headers }) => headers["x-forwarded-for"])).toEqual(Array(3).fill("127.0.0.1"));
  },
);

describe("who is one client", () => {
  const behindProxy = { options: { trustProxy: "loopback" } };
  const keys = {
    AuthenticationSchemes: {
      Keys: {
        Type: "ApiKey",
        Keys: ["anna", "otto"].map((name) => ({ Name: name, Sha256: crypto.hash("sha256", name.repeat(8)) })),
      },
    },
  };
  const locked = { AuthenticationOptions: { AuthenticationProviderKeys: ["Keys"] } };
  const rows: [
    reason: string,
    given: Given,
    asked: readonly http.OutgoingHttpHeaders[],
    statuses: readonly number[],
  ][] = [
    [
      "a name, whatever the address",
      { limit: one, ...behindProxy },
      [
        { "oc-client": "a", ...from("10.0.0.1") },
        { "oc-client": "a", ...from("10.0.0.2") },
        { "oc-client": "b", ...from("10.0.0.1") },
      ],
      [200, 429, 200],
    ],
    [
      "an address without a name, which no name can use up",
      { limit: one, ...behindProxy },
      [{ "oc-client": "address 10.0.0.1" }, { "oc-client": "10.0.0.1" }, from("10.0.0.1"), from("10.0.0.1")],
      [200, 200, 200, 429],
    ],
    ["a blank name is none", { limit: one }, [{ "oc-client": " " }, {}], [200, 429]],
    [
      "an address, whatever the name",
      { limit: { ...one, By: "Address" }, ...behindProxy },
      [
        { "oc-client": "a", ...from("10.0.0.1") },
        { "oc-client": "b", ...from("10.0.0.1") },
        { "oc-client": "b", ...from("10.0.0.2") },
      ],
      [200, 429, 200],
    ],
    [
      "a network of 64 bits",
      { limit: { ...one, By: "Address" }, ...behindProxy },
      [from("2001:db8::1"), from("2001:db8:0:0:ffff::2"), from("2001:db8:0:1::1"), from("2001:db8:0:1:1:2:3:4")],
      [200, 429, 200, 429],
    ],
    [
      "IPv4, however it is written",
      { limit: { ...one, By: "Address" }, ...behindProxy },
      [from("10.0.0.1"), from("::ffff:10.0.0.1")],
      [200, 429],
    ],
    ["all together", { limit: { ...one, By: "Route" } }, [{ "oc-client": "a" }, { "oc-client": "b" }], [200, 429]],
    [
      "a second limit by address, for free clients too",
      { limit: { Limit: 5, Period: "1h", AddressLimit: 2, ClientWhitelist: ["c"] }, ...behindProxy },
      [
        { "oc-client": "a", ...from("10.0.0.1") },
        { "oc-client": "b", ...from("10.0.0.1") },
        { "oc-client": "c", ...from("10.0.0.1") },
        { "oc-client": "c", ...from("10.0.0.2") },
      ],
      [200, 200, 429, 200],
    ],
    [
      "what a header transform makes of the client's header",
      {
        limit: one,
        route: { UpstreamHeaderTransform: { "OC-Client": "{RemoteIpAddress}" } },
        ...behindProxy,
      },
      [
        { "oc-client": "a", ...from("10.0.0.1") },
        { "oc-client": "b", ...from("10.0.0.1") },
        { "oc-client": "a", ...from("10.0.0.2") },
      ],
      [200, 429, 200],
    ],
    [
      "who is recognised, wherever from",
      { limit: { ...one, By: "Identity" }, route: locked, global: keys, ...behindProxy },
      [
        { "x-api-key": "anna".repeat(8), ...from("10.0.0.1") },
        { "x-api-key": "anna".repeat(8), ...from("10.0.0.2") },
        { "x-api-key": "otto".repeat(8), ...from("10.0.0.1") },
      ],
      [200, 429, 200],
    ],
    [
      "who is not recognised, by address; and then nobody is asked any more",
      { limit: { ...one, By: "Identity" }, route: locked, global: keys, ...behindProxy },
      [from("10.0.0.1"), from("10.0.0.1"), { "x-api-key": "anna".repeat(8), ...from("10.0.0.1") }, from("10.0.0.2")],
      [401, 429, 429, 401],
    ],
    [
      "an identity that is free",
      { limit: { ...one, By: "Identity", ClientWhitelist: ["anna"] }, route: locked, global: keys },
      [{ "x-api-key": "anna".repeat(8) }, { "x-api-key": "anna".repeat(8) }],
      [200, 200],
    ],
  ];

  test.each(rows)("%s", async (_reason, given, asked, statuses) => {
    expect(await statusesOf(await start(given), asked)).toEqual(statuses);
  });

  test("the peer, where the app believes every address", async () => {
    const running = await start({ limit: { ...one, By: "Address" } }, true);

    expect(await statusesOf(running, [from("10.0.0.1"), from("10.0.0.2")])).toEqual([200, 429]);
  });

  test("nobody, where the gateway is to believe every address", () => {
    const config = configOf({ limit: { ...one, AddressLimit: 5 } });

    expect(() => createGateway(config, { logger: false, trustProxy: true })).toThrow(/choose a new address/);
  });
});

describe.each([
  ["http-proxy-middleware", () => ({})],
  ["undici", () => ({ engine: undiciEngine() })],
])("a limit, by %s", (_engine, options) => {
  test("lets as many through as it says, however many come at once", async () => {
    const running = await start({ limit: { ...one, Limit: 10 }, options: options() });
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask(running)));

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30);
    expect(upstream.requests).toHaveLength(10);
  });

  test("holds for WebSockets", async () => {
    const limit = { limit: one, route: { DownstreamScheme: "ws" }, options: options() };
    const running = await start(limit);
    const upgrade = { connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13" };
    const key = { "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==" };

    // The upstream takes no WebSocket; what counts is that it was asked once.
    const [first, second] = [await ask(running, { ...upgrade, ...key }), await ask(running, { ...upgrade, ...key })];
    expect(first.status).not.toBe(429);
    expect(second.status).toBe(429);
    expect(second.headers["x-ratelimit-remaining"]).toBe("0");
  });
});

describe("what a client sees", () => {
  test("of a refusal: text, status, and when to come again", async () => {
    const clock = { now: 0 };
    const limit = { ...one, QuotaMessage: '{"limit":{0}}', StatusCode: 420, Wait: "90.5s" };
    const running = await start({ limit, options: { store: memoryStore({ now: () => clock.now }) } });
    await ask(running);
    await ask(running);
    clock.now = 500;
    const { status, headers, body } = await ask(running);

    expect({ status, body: body.toString() }).toEqual({ status: 420, body: '{"limit":1}' });
    expect(headers).toMatchObject({
      "content-type": "text/plain; charset=utf-8",
      "retry-after": "90",
      "x-ratelimit-limit": "1",
      "x-ratelimit-remaining": "0",
    });
  });

  test("of the limits of a service: nothing", async () => {
    const told = await startUpstream((_req, res) => res.setHeader("X-RateLimit-Remaining", "77").end());
    ends.push(() => told.close());
    const hosts = [{ Host: "127.0.0.1", Port: told.port }];
    const running = await start({ limit: one, route: { DownstreamHostAndPorts: hosts } });

    expect((await ask(running)).headers["x-ratelimit-remaining"]).toBe("0");
  });

  test("of a request that leaves the gateway: nothing", async () => {
    const running = await start({ limit: one, options: { middleware: [(_req, _res, next) => next("router")] } });
    const { status, body } = await ask(running);

    expect(status).toBe(404);
    expect(Object.keys(JSON.parse(body.toString()) as object).filter((name) => name.includes("ratelimit"))).toEqual([]);
  });
});

describe("a reload", () => {
  const rows: [reason: string, limit: Section, status: number][] = [
    ["keeps the counts of a limit that has stayed", { ...one, QuotaMessage: "Stop." }, 429],
    ["begins anew under another limit", { ...one, Limit: 2 }, 200],
    ["begins anew where clients are told apart otherwise", { ...one, By: "Route" }, 200],
  ];

  test.each(rows)("%s", async (_reason, limit, status) => {
    const running = await start({ limit: one });
    await ask(running);
    await running.gateway.reload(configOf({ limit }));

    expect((await ask(running)).status).toBe(status);
  });
});

test("observers hear of refusals by their code", async () => {
  const errors: (string | undefined)[] = [];
  const observer = { begin: () => ({ ended: ({ error }: { error?: string | undefined }) => void errors.push(error) }) };
  const running = await start({ limit: one, options: { observers: [observer] } });
  await statusesOf(running, [{}, {}]);

  expect(errors).toEqual([undefined, "rate-limited"]);
});

describe("what contradicts itself stops the start:", () => {
  const rows: [reason: string, limit: Section, code: string][] = [
    ["identities of nobody", { ...one, By: "Identity" }, "lock-contradictory"],
    ["a second limit beside one by address", { ...one, By: "Address", AddressLimit: 1 }, "lock-contradictory"],
    ["free clients that nobody tells apart", { ...one, By: "Route", ClientWhitelist: ["a"] }, "lock-contradictory"],
    ["a word for By that there is not", { ...one, By: "Name" }, "limit-invalid"],
    ["a header that is none", { ...one, ClientIdHeader: "a b" }, "header-name-invalid"],
    ["a wait that is none", { ...one, Wait: "soon" }, "limit-invalid"],
    ["no second limit", { ...one, AddressLimit: 0 }, "limit-invalid"],
  ];

  test.each(rows)("%s", (_reason, limit, code) => {
    expect(() => configOf({ limit })).toThrow(code);
  });

  test("a global period that cannot be, though it is switched off, where a route takes it", () => {
    const global = { RateLimitOptions: { EnableRateLimiting: false, Period: "soon" } };

    expect(() => configOf({ limit: { Limit: 1 }, global })).toThrow("GlobalConfiguration.RateLimitOptions.Period");
  });
});

test("an explanation tells how often clients may ask", () => {
  const limit = { ...one, AddressLimit: 50, Wait: "10s" };
  const { policies } = explainRequest(configOf({ limit }), { method: "GET", path: "/x" });

  expect(policies).toMatchObject([
    {
      title: "how often",
      lines: [
        "1 per 1h for each Oc-Client, 50 for each address, then refused for 10 s",
        "who asks too often is answered 429, with Retry-After",
        "counted in memory, by the workers of one program together, unless a store is given to it",
      ],
    },
  ]);
});
