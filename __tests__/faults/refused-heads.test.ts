import http, { type RequestListener } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import compression from "compression";
import connect from "connect";
import express, { type RequestHandler } from "express";
import express4 from "express4";
import { createGateway, type Gateway, parseConfig, problemDetails } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { request } from "../helpers/send-raw.ts";
import { type RunningGateway, serve } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

let upstream: Upstream;
let connections = 0;
beforeAll(async () => {
  upstream = await startUpstream();
  upstream.server.on("connection", () => (connections += 1));
});
afterAll(() => upstream.close());

const running: RunningGateway[] = [];
afterEach(async () => {
  for (const { close } of running.splice(0)) await close();
});

async function start(mount: (gateway: Gateway) => RequestListener, middleware: readonly RequestHandler[], turn = 0) {
  const route = {
    UpstreamPathTemplate: "/x/{id}",
    DownstreamPathTemplate: "/{id}",
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
  };
  const gateway = createGateway(parseConfig({ Routes: [route] }, { logger: false }), {
    logger: false,
    engine: engines[turn % engines.length]!.create(),
    middleware: middleware as never,
  });
  const started = await serve(mount(gateway), gateway);
  running.push(started);
  return started;
}

/** Answers with a value that a client has chosen, and that HTTP cannot carry. */
const answering =
  (status: number): RequestHandler =>
  (req, res, next) => {
    const id = decodeURIComponent(req.url.split("/").at(-1)!);
    if (id === "1") next();
    else res.writeHead(status, { "X-Deleted": id }).end();
  };

type Mount = (gateway: Gateway, front: RequestHandler) => RequestListener;

const problems = problemDetails({ logger: false });
const apps: readonly (readonly [string, Mount, "in the gateway" | "before the gateway"])[] = [
  ["node:http", (gateway) => gateway, "in the gateway"],
  [
    "Connect",
    (gateway) =>
      connect()
        .use(gateway as never)
        .use(problems as never),
    "in the gateway",
  ],
  [
    "Connect",
    (gateway, front) =>
      connect()
        .use(front as never)
        .use(gateway as never)
        .use(problems as never),
    "before the gateway",
  ],
  ["Express 4", (gateway) => express4().disable("x-powered-by").use(gateway).use(problems), "in the gateway"],
  ["Express 5", (gateway) => express().disable("x-powered-by").use(gateway).use(problems), "in the gateway"],
  ["Express 5 without problemDetails", (gateway) => express().disable("x-powered-by").use(gateway), "in the gateway"],
];
const rows = apps.flatMap(([name, mount, where], turn) =>
  [204, 304].map((status) => ({ name, mount, where, status, turn })),
);

test.each(rows)("a $status that middleware $where cannot write is an error that ends: $name", async (row) => {
  const { mount, where, status, turn } = row;
  const own = answering(status);
  const { port } = await start((gateway) => mount(gateway, own), where === "in the gateway" ? [own] : [], turn);
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  expect((await request({ port, path: "/x/%E2%82%AC", agent })).status).toBe(500);
  const next = await request({ port, path: "/x/1", agent });
  expect([next.status, next.body.toString()]).toEqual([200, "GET /1"]);
  agent.destroy();
});

test.each(engines)(
  "a client that leaves while middleware is busy costs no connection to the upstream: $name",
  async ({ turn }) => {
    const left = Promise.withResolvers<void>();
    const late = Promise.withResolvers<void>();
    const slow: RequestHandler = async (req, res, next) => {
      if (req.url.endsWith("/1")) return next();
      res.once("close", left.resolve);
      await late.promise;
      next();
    };
    const { port, gateway } = await start((handler) => handler, [slow], turn);
    expect((await request({ port, path: "/x/1" })).status).toBe(200);
    const before = [connections, upstream.requests.length];
    const leaving = http.get({ port, host: "127.0.0.1", path: "/x/2" }).on("error", () => undefined);
    while (gateway.health().running === 0) await wait(5);
    leaving.destroy();
    await left.promise;
    late.resolve();
    expect((await request({ port, path: "/x/1" })).status).toBe(200);
    expect([connections, upstream.requests.length]).toEqual([before[0], before[1]! + 1]);
  },
);

test.each(engines)("an answer that middleware has corked beyond its end is delimited: $name", async ({ turn }) => {
  const corking: RequestHandler = (_req, res, next) => {
    res.cork();
    res.cork();
    next();
  };
  const { port } = await start((handler) => handler, [corking], turn);
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  for (const id of ["1", "2"]) {
    const answer = await request({ port, path: `/x/${id}`, agent });
    expect([answer.status, answer.body.toString()]).toEqual([200, `GET /${id}`]);
  }
  agent.destroy();
});

const fails = Object.assign(new Error("no"), {
  status: 502,
  headers: { "Transfer-Encoding": "chunked", "x-of": "it" },
});
const corks: RequestHandler = (_req, res, next) => {
  res.cork();
  next();
};

/** Gathers what is written in a moment, as code does that wants few packets. */
const uncorking = ([(act) => act(), queueMicrotask, setImmediate] as ((act: () => void) => unknown)[]).map(
  (soon): [string, RequestHandler] => [
    `a response that is corked and uncorked: ${soon.name || "at once"}`,
    (_req, res, next) => {
      res.cork();
      const uncork = res.uncork.bind(res);
      next();
      // By the function that stood there at first.
      soon(uncork);
    },
  ],
);

test.each<[string, RequestHandler]>([
  ["a response that is corked", corks],
  ...uncorking,
  ["headers that frame another answer", (_req, _res, next) => next()],
])("an error behind compression is delimited, whatever it meets: %s", async (_what, first) => {
  const failing: RequestHandler = (req, _res, next) => {
    if (req.url.endsWith("/bad")) next(fails);
    else if (req.url.endsWith("/late")) setImmediate(() => next(fails));
    else next();
  };
  const app = express().use(first, compression({ threshold: 0 }));
  const { port } = await start((gateway) => app.use(gateway).use(problems), [failing]);
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { "accept-encoding": "gzip" };
  for (const path of ["/x/bad", "/x/late"]) {
    const failed = await request({ port, path, agent, headers });
    expect([failed.status, JSON.parse(gunzipSync(failed.body).toString())]).toMatchObject([502, { status: 502 }]);
    expect(failed.headers["transfer-encoding"]).toBe("chunked");
  }
  const next = await request({ port, path: "/x/1", agent });
  expect([next.status, next.body.toString()]).toEqual([200, "GET /1"]);
  agent.destroy();
});
