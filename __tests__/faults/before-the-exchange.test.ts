import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import express from "express";
import { afterEach, describe, expect, test } from "@jest/globals";
import { createGateway, type Gateway, type GatewayOptions, parseConfig } from "../../src/index.ts";
import { serve } from "../helpers/start-gateway.ts";
import { ask, cleanUpLater, closeAll, createLogBook, routeTo, upstreamFor } from "../reload/scene.ts";

afterEach(closeAll);

// The gateway is called synchronously: on a plain server an exception that leaves it ends the process, and fails the test.

const failing = (): never => {
  throw new Error("a mistake in somebody's function");
};

const mountings: readonly Readonly<{ name: string; mount: (gateway: Gateway) => RequestListener }>[] = [
  { name: "node:http", mount: (gateway) => gateway },
  { name: "Express", mount: (gateway) => express().use(gateway) },
];

type Scene = Readonly<{ origin: string; lines: string[]; gateway: Gateway; port: number }>;

async function sceneFor(
  mount: (gateway: Gateway) => RequestListener,
  options: GatewayOptions = {},
  more: object = {},
): Promise<Scene> {
  const { port } = await upstreamFor((req, res) => void res.end(String(req.headers["x-forwarded-for"])));
  const { logger, lines } = createLogBook();
  const config = parseConfig({ Routes: [routeTo(port, "/a", more)] }, { logger: false });
  const gateway = createGateway(config, { logger, ...options });
  const running = await serve(mount(gateway), gateway);
  cleanUpLater(running.close);
  return { origin: running.origin, lines, gateway, port: running.port };
}

/** What the upstream is told of the client, by a peer that claims to speak for another one. */
async function claim(origin: string): Promise<string> {
  const answer = await fetch(`${origin}/a`, { headers: { "x-forwarded-for": "10.0.0.1" } });
  return `${answer.status} ${await answer.text()}`;
}

const untrusted = /^200 (?:::ffff:)?127\.0\.0\.1$/;
const trustFailed = "error: The function of trustProxy failed: peers for whom it does are not trusted.";

describe.each(mountings)("trustProxy on $name", ({ mount }) => {
  test.each([
    ["throws", failing],
    ["resolves to true", () => Promise.resolve(true)],
    ["rejects", () => Promise.reject(new Error("later"))],
  ])("that %s trusts nobody, and is logged once", async (_how, trustProxy) => {
    const { origin, lines } = await sceneFor(mount, { trustProxy: trustProxy as unknown as () => boolean });
    for (let round = 0; round < 2; round += 1) expect(await claim(origin)).toMatch(untrusted);
    expect(lines.filter((line) => line === trustFailed)).toHaveLength(1);
  });

  test("that says yes is believed", async () => {
    const { origin } = await sceneFor(mount, { trustProxy: () => true });
    expect(await claim(origin)).toMatch(/^200 10\.0\.0\.1, /);
  });
});

test("a function of Express's setting that fails trusts nobody, and is logged once", async () => {
  const { origin, lines } = await sceneFor((gateway) => express().set("trust proxy", failing).use(gateway));
  for (let round = 0; round < 2; round += 1) expect(await claim(origin)).toMatch(untrusted);
  expect(lines.filter((line) => line === trustFailed)).toHaveLength(1);
});

type Spoil = (req: IncomingMessage, res: ServerResponse) => void;

const spoilt: readonly Readonly<{ what: string; spoil: Spoil }>[] = [
  { what: "headers that nobody may replace", spoil: (req) => Object.defineProperty(req, "headers", { value: {} }) },
  { what: "frozen locals", spoil: (_req, res) => Object.assign(res, { locals: Object.freeze({}) }) },
  { what: "params that nobody may replace", spoil: (req) => Object.defineProperty(req, "params", { value: {} }) },
];

const spoilings = [
  {
    name: "node:http",
    before: (spoil: Spoil, gateway: Gateway): RequestListener =>
      function app(req, res) {
        spoil(req, res);
        gateway(req, res);
      },
  },
  {
    name: "a handler of one's own",
    before: (spoil: Spoil, gateway: Gateway): RequestListener =>
      function app(req, res) {
        spoil(req, res);
        gateway(req, res, () => res.writeHead(500).end());
      },
  },
];

describe.each(spoilings)("a request that cannot begin, on $name:", ({ before }) => {
  test.each(spoilt)("$what is a logged 500", async ({ spoil }) => {
    const { origin, lines, gateway } = await sceneFor((inner) => before(spoil, inner));
    expect(await ask(origin, "/a")).toMatch(/^500 /);
    expect(lines).toContain("error: A request could not begin.");
    expect(gateway.health().running).toBe(0);
  });
});

describe("an answer that was given before", () => {
  test.each([
    ["a route with a request id", "/a", {}],
    ["no route", "/nowhere", {}],
    ["middleware that leaves late", "/a", { middleware: [leaveLate] }],
  ])("stays as it is where the gateway meets %s", async (_what, path, options) => {
    const answerFirst =
      (gateway: Gateway): RequestListener =>
      (req, res) => {
        res.end("given");
        gateway(req, res);
      };
    const { origin, gateway } = await sceneFor(answerFirst, options, { RequestIdKey: "X-Request-Id" });
    for (let round = 0; round < 2; round += 1) expect(await ask(origin, path)).toBe("200 given");
    expect(gateway.health().running).toBe(0);
  });
});

test("middleware that answers and leaves later ends nothing", async () => {
  const answerAndLeave = (_req: unknown, res: ServerResponse, next: (way?: string) => void): void => {
    res.end("given");
    setImmediate(() => next("router"));
  };
  const { origin } = await sceneFor((gateway) => gateway, { middleware: [answerAndLeave] });
  for (let round = 0; round < 2; round += 1) expect(await ask(origin, "/a")).toBe("200 given");
});

function leaveLate(_req: unknown, _res: unknown, next: (way?: string) => void): void {
  setImmediate(() => next("router"));
}

describe("an error that cannot be looked at", () => {
  test.each([
    ["whose members throw", Object.defineProperty(new Error("x"), "status", { get: failing })],
    ["whose message is no text", Object.assign(new Error("x"), { status: 400, message: 10n })],
    [
      "whose headers throw",
      Object.assign(new Error("x"), {
        headers: {
          get a() {
            return failing();
          },
        },
      }),
    ],
  ])("%s is answered", async (_what, error) => {
    const { origin } = await sceneFor((gateway) => gateway, { middleware: [(_req, _res, next) => next(error)] });
    expect(await ask(origin, "/a")).toMatch(/^[45]00 /);
  });
});

test.each([
  ["EMFILE", {}],
  ["ENFILE", {}],
  ["ENOBUFS", {}],
  ["EADDRNOTAVAIL", { address: "127.0.0.1" }],
])(
  "a connection for which the own process lacks what it needs (%s) is no fault of the upstream",
  async (code, more) => {
    const lack = Object.assign(new Error(`connect ${code}`), { code, ...more });
    const engine = { forward: () => Promise.reject(lack), close: () => Promise.resolve() };
    const breaker = { QoSOptions: { MinimumThroughput: 2, BreakDuration: 60_000 } };
    const { origin, lines } = await sceneFor((gateway) => gateway, { engine }, breaker);
    for (let count = 0; count < 2; count += 1) await (await fetch(`${origin}/a`)).text();
    lines.length = 0;
    const answer = await fetch(`${origin}/a`);
    expect([answer.status, answer.headers.get("retry-after"), await answer.json()]).toMatchObject([
      503,
      "1",
      { code: "overloaded" },
    ]);
    expect(lines).toEqual(["warn: The gateway can open no more connections at the moment."]);
  },
);

test("a host that refuses at one of its addresses fails, whatever the own process lacks for another one", async () => {
  const failures = ["EADDRNOTAVAIL", "ECONNREFUSED"].map((code) => Object.assign(new Error(code), { code }));
  const lack = Object.assign(new AggregateError(failures), { code: "EADDRNOTAVAIL" });
  const engine = { forward: () => Promise.reject(lack), close: () => Promise.resolve() };
  const { origin } = await sceneFor((gateway) => gateway, { engine });
  expect((await fetch(`${origin}/a`)).status).toBe(502);
});
