import { AsyncLocalStorage } from "node:async_hooks";
import { once } from "node:events";
import http from "node:http";
import { Readable, Transform } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import express from "express";
import {
  createGateway,
  type DelegatingHandler,
  type Gateway,
  type GatewayHandler,
  parseConfig,
  problemDetails,
  type Responder,
} from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { request } from "../helpers/send-raw.ts";
import { type RunningGateway, serve } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

/** Who is asking, as an app keeps it: OpenTelemetry, loggers with a mixin and sessions of tenants do. */
const asking = new AsyncLocalStorage<string>();
const clients = Array.from({ length: 12 }, (_, index) => `client-${index}`);
const parts = 5;
const tinyChunks = 5_000;

/** The code of the app that ran, and for whom it saw itself run. */
const ran: { what: string; by: unknown; sees: unknown }[] = [];

function note(what: string, by: unknown): void {
  ran.push({ what, by, sees: asking.getStore() });
}

let upstream: Upstream;
beforeAll(async () => {
  upstream = await startUpstream((req, res) => {
    if (req.url === "/never") return;
    if (req.url === "/tiny") answerInChunks(res);
    else req.on("end", () => void answerInParts(res)).resume();
  });
});
afterAll(() => upstream.close());

function answerInChunks(res: NodeJS.WritableStream): void {
  for (let chunk = 0; chunk < tinyChunks; chunk += 1) res.write("x");
  res.end();
}

async function answerInParts(res: NodeJS.WritableStream): Promise<void> {
  for (let part = 0; part < parts; part += 1) {
    res.write(`part ${part}`);
    await wait(2);
  }
  res.end();
}

describe.each(engines)("the code of an app with $name", ({ create }) => {
  let running: RunningGateway;
  beforeAll(async () => {
    const gateway = createGateway(parseConfig(configOf(upstream.port), { logger: false }), {
      logger: false,
      engine: create(),
      middleware: [readStalled],
      handlers: [sendMade],
      responder: changePieces,
    });
    running = await serve(createApp(gateway), gateway);
  });
  afterAll(() => running.close());
  beforeEach(() => void ran.splice(0));

  test.each([
    ["answers that come in pieces", "/parts", "GET", ["write", "end", "finish", "transform"]],
    ["answers in very many chunks, which take turns", "/tiny", "GET", ["write", "end", "finish", "transform"]],
    ["bodies that a handler makes", "/made", "POST", ["make", "write", "end", "finish", "transform"]],
    ["requests that take too long", "/never", "GET", ["signal", "end", "finish"]],
  ])("runs for the client whose request it is: %s", async (_what, path, method, expected) => {
    // Over the connections that the first ones open, the others go as well.
    for (let round = 0; round < 3; round += 1) await Promise.all(clients.map((client) => ask(path, method, client)));
    expect(new Set(ran.map(({ what }) => what))).toEqual(new Set(expected));
    expect(ran.filter(({ by, sees }) => by !== sees)).toEqual([]);
  });

  test("runs for the client whose request it is: uploads that stand still", async () => {
    const statuses = await Promise.all(clients.map((client) => sendHalf(running.port, client)));
    expect(new Set(statuses)).toEqual(new Set([408]));
    expect(new Set(ran.filter(({ what }) => what === "write").map(({ by }) => by))).toEqual(new Set(clients));
    expect(ran.filter(({ by, sees }) => by !== sees)).toEqual([]);
  });

  function ask(path: string, method: string, client: string) {
    return request({ port: running.port, path, method, headers: { "x-client": client } });
  }
});

/** Sends the half of a body, and tells the status of what comes. */
async function sendHalf(port: number, client: string): Promise<number | undefined> {
  const headers = { "x-client": client, "content-length": "10" };
  const sent = http.request({ port, path: "/stalled", method: "POST", headers, agent: false });
  sent.on("error", () => undefined).write("half");
  const [answer] = (await once(sent, "response")) as [http.IncomingMessage];
  sent.destroy();
  return answer.statusCode;
}

function configOf(port: number) {
  const DownstreamHostAndPorts = [{ Host: "127.0.0.1", Port: port }];
  const never = { UpstreamPathTemplate: "/never", DownstreamPathTemplate: "/never", QoSOptions: { Timeout: 300 } };
  const stalled = { UpstreamPathTemplate: "/stalled", DownstreamPathTemplate: "/stalled", Limits: { Upload: 0.3 } };
  const other = { UpstreamPathTemplate: "/{path}", DownstreamPathTemplate: "/{path}" };
  return { Routes: [never, stalled, other].map((route) => ({ ...route, DownstreamHostAndPorts })) };
}

function createApp(gateway: Gateway) {
  const app = express();
  app.use((req, _res, next) => asking.run(req.get("x-client")!, next));
  app.use((req, res, next) => {
    const client = req.get("x-client");
    const write = res.write.bind(res);
    const end = res.end.bind(res);
    res.write = function noteWrite(...values: never[]) {
      note("write", client);
      return Reflect.apply(write, res, values) as boolean;
    };
    res.end = function noteEnd(...values: never[]) {
      note("end", client);
      return Reflect.apply(end, res, values) as typeof res;
    };
    res.on("finish", () => note("finish", client));
    next();
  });
  return app.use(gateway, problemDetails({ logger: false }));
}

/** A parser that waits for the rest of a body. */
const readStalled: GatewayHandler = (req, _res, next) => {
  if (req.path === "/stalled") req.on("end", () => next()).resume();
  else next();
};

/** Sends a body that is made while it is sent, slowly enough for the connection to ask for more. */
const sendMade: DelegatingHandler = async function sendMade(outgoing, next, { req, signal }) {
  const client = req.headers["x-client"];
  signal.addEventListener("abort", () => note("signal", client));
  if (outgoing.path === "/made") outgoing.body = Readable.from(makeFor(client));
  return next();
};

async function* makeFor(client: unknown) {
  for (let piece = 0; piece < parts; piece += 1) {
    await wait(1);
    note("make", client);
    yield Buffer.alloc(100_000);
  }
}

const changePieces: Responder = (answer, { req }, respond) => {
  if (answer.status !== 200) return respond();
  const client = req.headers["x-client"];
  const transform = (piece: unknown, _encoding: unknown, done: (error: null, piece: unknown) => void): void => {
    note("transform", client);
    done(null, piece);
  };
  answer.body = answer.body.pipe(new Transform({ transform }));
  return respond();
};
