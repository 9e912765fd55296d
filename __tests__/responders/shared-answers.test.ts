import type { IncomingMessage } from "node:http";
import { PassThrough, Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { describe, expect, test } from "@jest/globals";
import express from "express";
import {
  type Aggregator,
  createAnswer,
  createGateway,
  type DelegatingHandler,
  type GatewayOptions,
  metadataResponder,
  parseConfig,
  problemDetails,
  type Responder,
  type UpstreamResponse,
} from "../../src/index.ts";
import { changingPieces, changingWrites } from "../helpers/change-in-place.ts";
import { request } from "../helpers/send-raw.ts";
import { serve, startGateway } from "../helpers/start-gateway.ts";
import { startUpstream } from "../helpers/start-upstream.ts";

const piping: Responder = async (answer, _context, respond) => {
  answer.body = answer.body.pipe(new PassThrough());
  await respond();
};
const noTransforms = {};
const transforms = { DownstreamHeaderTransform: { "X-A": "a" } };
const json = { Metadata: {}, Response: [1] };

const rows = [
  { title: "pipes it", responder: piping, route: noTransforms, gets: [1] },
  { title: "pipes it behind header transforms", responder: piping, route: transforms, gets: [1] },
  { title: "wraps it", responder: metadataResponder(), route: noTransforms, gets: json },
  { title: "wraps it behind header transforms", responder: metadataResponder(), route: transforms, gets: json },
];

test.each(rows)("an answer for several clients is each one's own where a responder $title", async (row) => {
  const shared = createAnswer({ status: 200, headers: { "Content-Type": "application/json" }, body: "[1]" });
  const handlers = [() => Promise.resolve(shared)];
  const target = { Host: "127.0.0.1", Port: 1 };
  const route = { UpstreamPathTemplate: "/x", DownstreamPathTemplate: "/x", DownstreamHostAndPorts: [target] };
  const { port, close } = await startGateway(
    { Routes: [{ ...route, ...row.route }] },
    { handlers, responder: row.responder },
  );
  const bodies: unknown[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    const { body } = await request({ port, path: "/x" });
    bodies.push(body.length === 0 ? "" : JSON.parse(String(body)));
  }
  await close();
  expect(bodies).toEqual([row.gets, row.gets, row.gets]);
  expect(shared.headers).toEqual({ "content-type": "application/json" });
});

const forCookie: Responder = async (answer, { req }, respond) => {
  (answer.headers["set-cookie"] as string[]).push(`seen=${req.headers.cookie}`);
  await respond();
};
const headers = { "Set-Cookie": ["theme=dark"] };
const constant = createAnswer({ status: 503, headers, body: "Welcome." });
const frozen = createAnswer({ status: 503, headers: { "Set-Cookie": ["theme=dark"] }, body: "Welcome." });
for (const part of [frozen.headers["set-cookie"], frozen.headers, frozen]) Object.freeze(part);
const greet: DelegatingHandler = async (_outgoing, next, { req }) => {
  const answer = await next();
  if (req.headers.cookie === undefined) return answer;
  answer.headers["x-session"] = req.headers.cookie;
  (answer.headers["set-cookie"] as string[]).push(`session=${req.headers.cookie}`);
  answer.body = `Welcome, ${req.headers.cookie}.`;
  return answer;
};

let kept: Promise<UpstreamResponse> | undefined;
const keep: DelegatingHandler = (_outgoing, next) => (kept ??= next().then(readWhole));

async function readWhole(answer: UpstreamResponse): Promise<UpstreamResponse> {
  answer.body = await buffer(answer.body);
  return answer;
}

let head: UpstreamResponse["headers"] | undefined;
const keepHead: DelegatingHandler = async (_outgoing, next) => {
  head ??= (await next()).headers;
  return createAnswer({ status: 503, headers: head, body: "Welcome." });
};

/** Writes into a piece of a body where it is. */
function writeCookie(piece: Buffer, { headers: { cookie } }: IncomingMessage): void {
  piece.write(cookie ?? "", 0);
}

describe.each<[what: string, inner: DelegatingHandler]>([
  ["a constant answer", () => Promise.resolve(constant)],
  ["a frozen constant answer", () => Promise.resolve(frozen)],
  ["the service's answer, kept,", keep],
  ["a new answer with the service's headers, kept,", keepHead],
  [
    "a new answer with the same headers",
    () => Promise.resolve(createAnswer({ status: 503, headers, body: "Welcome." })),
  ],
])("%s of a handler", (_what, inner) => {
  test.each<[who: string, options: GatewayOptions]>([
    ["an outer handler", { handlers: [greet, inner] }],
    ["an outer handler, behind one that passes it on,", { handlers: [greet, (_outgoing, next) => next(), inner] }],
    ["an outer handler and a responder", { handlers: [greet, inner], responder: forCookie }],
    ["a responder", { handlers: [inner], responder: forCookie }],
    ["a responder that changes pieces where they are", { handlers: [inner], responder: changingPieces(writeCookie) }],
    ["middleware that changes pieces where they are", { handlers: [inner], middleware: [changingWrites(writeCookie)] }],
  ])("goes to the next client without what %s has made of it for one", async (_who, options) => {
    const service = await startUpstream((_req, res) =>
      res.setHeader("set-cookie", ["theme=dark", "lang=en"]).end("Welcome."),
    );
    const target = { Host: "127.0.0.1", Port: service.port };
    const route = { UpstreamPathTemplate: "/x", DownstreamPathTemplate: "/x", DownstreamHostAndPorts: [target] };
    [kept, head] = [undefined, undefined];
    const { port, close } = await startGateway({ Routes: [route] }, options);
    const known = await request({ port, path: "/x", headers: { cookie: "ada" } });
    const next = await request({ port, path: "/x" });
    await close();
    await service.close();
    expect(JSON.stringify([known.headers, String(known.body)])).toContain("ada");
    expect(JSON.stringify([next.headers, String(next.body)])).not.toContain("ada");
    expect(String(next.body)).toBe("Welcome.");
  });
});

test("a frozen constant answer goes to each client where nothing else sees it", async () => {
  const route = {
    UpstreamPathTemplate: "/x",
    DownstreamPathTemplate: "/x",
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: 1 }],
  };
  const { port, close } = await startGateway({ Routes: [route] }, { handlers: [() => Promise.resolve(frozen)] });
  const bodies = [];
  for (let turn = 0; turn < 2; turn += 1) bodies.push(String((await request({ port, path: "/x" })).body));
  await close();
  expect(bodies).toEqual(["Welcome.", "Welcome."]);
});

/** An answer whose body only the object itself can read. */
class Greeting {
  readonly #body = Readable.from([Buffer.from("Welcome.")]);
  readonly status = 200;
  readonly statusText = "OK";
  readonly headers = {};

  get body(): Readable {
    return this.#body;
  }
}

test("an answer of a class with private members goes through a responder", async () => {
  const route = {
    UpstreamPathTemplate: "/x",
    DownstreamPathTemplate: "/x",
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: 1 }],
  };
  const handlers = [() => Promise.resolve(new Greeting() as UpstreamResponse)];
  const { port, close } = await startGateway({ Routes: [route] }, { handlers, responder: piping });
  const { body } = await request({ port, path: "/x" });
  await close();
  expect(String(body)).toBe("Welcome.");
});

test("what code notes on an answer of its own is there for a responder", async () => {
  const route = {
    UpstreamPathTemplate: "/x",
    DownstreamPathTemplate: "/x",
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: 1 }],
  };
  const notes = { status: 200, statusText: "", headers: {}, body: Readable.from(["Welcome."]), note: "first" };
  const told: unknown[] = [];
  const tells: Responder = (upstream, _context, respond) => {
    told.push(Reflect.get(upstream, "note"));
    return respond();
  };
  const handlers = [() => Promise.resolve(notes as UpstreamResponse)];
  const { port, close } = await startGateway({ Routes: [route] }, { handlers, responder: tells });
  expect(String((await request({ port, path: "/x" })).body)).toBe("Welcome.");
  await close();
  expect(told).toEqual(["first"]);
});

test("a constant answer of a part is what it was behind an aggregator that changes what it has got", async () => {
  const target = { Host: "127.0.0.1", Port: 1 };
  const route = {
    Key: "a",
    UpstreamPathTemplate: "/a",
    DownstreamPathTemplate: "/a",
    DownstreamHostAndPorts: [target],
  };
  const both = { UpstreamPathTemplate: "/all", RouteKeys: ["a", "b"], Aggregator: "cookies" };
  const config = { Routes: [route, { ...route, Key: "b", UpstreamPathTemplate: "/b" }], Aggregates: [both] };
  const cookies: Aggregator = ([first], { req }) => {
    const list = first!.headers["set-cookie"] as string[];
    list.push(`session=${req.headers.cookie}`);
    return createAnswer({ status: 200, headers: { "set-cookie": list }, body: first!.body });
  };
  const { port, close } = await startGateway(config, {
    handlers: [() => Promise.resolve(constant)],
    aggregators: { cookies },
  });
  const known = await request({ port, path: "/all", headers: { cookie: "ada" } });
  const others = [await request({ port, path: "/all" }), await request({ port, path: "/a" })];
  await close();
  expect(known.headers["set-cookie"]).toEqual(["theme=dark", "session=ada"]);
  expect(others.map(({ headers: { "set-cookie": set }, body }) => [set, String(body)])).toEqual([
    [["theme=dark", "session=undefined"], "Welcome."],
    [["theme=dark"], "Welcome."],
  ]);
});

test("a constant error keeps its headers as they were, whatever middleware adds to them for one client", async () => {
  const error = Object.assign(new Error("no"), { status: 401, headers: { "set-cookie": ["theme=dark"] } });
  const route = {
    UpstreamPathTemplate: "/x",
    DownstreamPathTemplate: "/x",
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: 1 }],
  };
  const handlers = [() => Promise.reject<UpstreamResponse>(error)];
  const gateway = createGateway(parseConfig({ Routes: [route] }, { logger: false }), { logger: false, handlers });
  const addSession: express.RequestHandler = (req, res, next) => {
    const writeHead = Reflect.get(res, "writeHead");
    res.writeHead = (...head: unknown[]) => {
      res.appendHeader("set-cookie", `session=${req.headers.cookie}`);
      return Reflect.apply(writeHead, res, head) as typeof res;
    };
    next();
  };
  const app = express().use(addSession, gateway, problemDetails({ logger: false }));
  const { port, close } = await serve(app, gateway);
  const got = [];
  for (const cookie of ["ada", "bob"]) got.push((await request({ port, path: "/x", headers: { cookie } })).headers);
  await close();
  expect(got.map((set) => set["set-cookie"])).toEqual([
    ["theme=dark", "session=ada"],
    ["theme=dark", "session=bob"],
  ]);
});
