import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterEach, describe, expect, test } from "@jest/globals";
import express, { type RequestHandler } from "express";
import { bodyToSend, watchOutgoingBody } from "../../src/bodies/with-code/watch-outgoing-body.ts";
import type { Cancellation } from "../../src/cancellation.ts";
import { runHandlers } from "../../src/forwarding/run-handlers.ts";
import {
  createAnswer,
  createGateway,
  type DelegatingHandler,
  type GatewayContext,
  type GatewayOptions,
  type OutgoingRequest,
  parseConfig,
} from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { request } from "../helpers/send-raw.ts";
import { type RunningGateway, serve } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

const running: (RunningGateway | Upstream)[] = [];

afterEach(async () => {
  for (const { close } of running.splice(0).reverse()) await close();
});

async function startService(): Promise<Upstream> {
  const service = await startUpstream((req, res) => {
    req.on("end", () => res.setHeader("content-type", "application/json").end("1")).resume();
  });
  running.push(service);
  return service;
}

/** A gateway with the routes `a` and `b`, and an aggregate of both, behind what stands before it. */
async function startWith({ before = pass, ...options }: GatewayOptions & { before?: RequestHandler }) {
  const service = await startService();
  const route = (Key: string) => ({
    Key,
    UpstreamPathTemplate: `/${Key}`,
    DownstreamPathTemplate: `/${Key}`,
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: service.port }],
  });
  const Aggregates = [{ UpstreamPathTemplate: "/both", RouteKeys: ["a", "b"] }];
  const config = parseConfig({ Routes: [route("a"), route("b")], Aggregates }, { logger: false });
  const gateway = createGateway(config, { logger: false, ...options });
  const app = await serve(express().use(before, gateway), gateway);
  running.push(app);
  return { service, port: app.port };
}

const pass: RequestHandler = (_req, _res, next) => next();

describe.each(engines)("A list in the headers of a request, of what others have, too, with $name", ({ create }) => {
  const constant: string[] = [];
  const setLists: RequestHandler = ({ headers }, _res, next) => {
    constant.splice(0, Infinity, "all");
    Object.assign(headers, { "x-list": constant, accept: constant });
    next();
  };
  const addTo = (headers: object, isMeant: boolean): void => {
    const lists = headers as Record<string, string[]>;
    if (isMeant) for (const name of ["x-list", "accept"]) lists[name]!.push("own");
  };

  test.each([
    ["of the gateway", { middleware: [setLists] }],
    ["of the app", { before: setLists }],
  ])("that middleware %s sets is without what a handler adds for one client", async (_whose, options) => {
    const add: DelegatingHandler = ({ headers }, next, { req }) => {
      addTo(headers, req.headers.cookie !== undefined);
      return next();
    };
    const { service, port } = await startWith({ ...options, handlers: [add], engine: create() });
    await request({ port, path: "/a", headers: { cookie: "ada" } });
    const own = [...constant];
    await request({ port, path: "/a" });
    const sent = service.requests.map(({ headers }) => [headers["x-list"], headers.accept]);
    expect([own, sent]).toEqual([
      ["all"],
      [
        ["all, own", "all, own"],
        ["all", "all"],
      ],
    ]);
  });

  const ofMiddleware: RequestHandler = ({ headers }, res, next) => {
    addTo(headers, res.locals.route.id === "a");
    next();
  };
  const inOutgoing: DelegatingHandler = ({ headers }, next, { route }) => {
    addTo(headers, route.id === "a");
    return next();
  };

  test.each([
    ["middleware", { middleware: [ofMiddleware] }],
    ["a handler", { handlers: [inOutgoing] }],
  ])("that the parts of an aggregate begin with is without what %s adds for another part", async (_who, options) => {
    const { service, port } = await startWith({ before: setLists, ...options, engine: create() });
    await request({ port, path: "/both" });
    const sent = service.requests.map(({ target, headers }) => [target, headers["x-list"], headers.accept]).toSorted();
    expect([constant, sent]).toEqual([
      ["all"],
      [
        ["/a", "all, own", "all, own"],
        ["/b", "all", "all"],
      ],
    ]);
  });

  test("that middleware sets for each part is without what a handler adds to the request of one", async () => {
    const add: DelegatingHandler = (_outgoing, next, { req, route }) => {
      addTo(req.headers, route.id === "a");
      return next();
    };
    const { port } = await startWith({ middleware: [setLists], handlers: [add], engine: create() });
    await request({ port, path: "/both" });
    expect(constant).toEqual(["all"]);
  });
});

describe.each(engines)("Bytes of a body that others have, too, with $name", ({ create }) => {
  const empty = "token=___";
  const form = Buffer.from(empty);
  const setOutgoing: DelegatingHandler = (outgoing, next) => {
    outgoing.body = form;
    return next();
  };
  const setOnRequest = (member: "body" | "rawBody"): RequestHandler[] => [
    express.raw({ type: () => true }),
    (req, _res, next) => next(void Reflect.set(req, member, form)),
  ];
  const fillIn: DelegatingHandler = (outgoing, next, { req }) => {
    if (req.headers.cookie !== undefined) (outgoing.body as Buffer).write(req.headers.cookie, "token=".length);
    return next();
  };
  const sent = ({ requests }: Upstream): string[] => requests.map(({ body }) => String(body));

  test.each([
    ["a handler", { handlers: [setOutgoing, fillIn] }],
    ["middleware, as the parsed body,", { middleware: setOnRequest("body"), handlers: [fillIn] }],
    ["middleware, as the bytes of the body,", { middleware: setOnRequest("rawBody"), handlers: [fillIn] }],
  ])("that %s gives all clients are without what a handler writes for one", async (_who, options) => {
    const { service, port } = await startWith({ ...options, engine: create() });
    await request({ port, path: "/a", method: "POST", body: "x", headers: { cookie: "ada" } });
    await request({ port, path: "/a", method: "POST", body: "x" });
    expect([sent(service), String(form)]).toEqual([["token=ada", empty], empty]);
  });

  test("that a handler sends to a mirror and to the service are for the mirror without the service's key", async () => {
    const mirror = await startService();
    const sendBoth: DelegatingHandler = async (outgoing, next) => {
      const { origin } = outgoing;
      outgoing.body = await buffer(outgoing.body as Readable);
      outgoing.origin = mirror.origin;
      const copied = next();
      outgoing.origin = origin;
      const answer = await next();
      (await copied).body.resume();
      return answer;
    };
    const sign: DelegatingHandler = (outgoing, next) => {
      if (outgoing.origin !== mirror.origin) (outgoing.body as Buffer).write("key");
      return next();
    };
    const { service, port } = await startWith({ handlers: [sendBoth, sign], engine: create() });
    await request({ port, path: "/a", method: "POST", body: "___ of tea" });
    expect([sent(mirror), sent(service)]).toEqual([["___ of tea"], ["key of tea"]]);
  });

  test("that a handler repeats are each time what it has, whatever an inner one writes", async () => {
    const twice: DelegatingHandler = async (outgoing, next) => {
      outgoing.body = await buffer(outgoing.body as Readable);
      (await next()).body.resume();
      return next();
    };
    const flip: DelegatingHandler = (outgoing, next) => {
      const body = outgoing.body as Buffer;
      body.forEach((byte, at) => (body[at] = byte ^ 0x20));
      return next();
    };
    const { service, port } = await startWith({ handlers: [twice, flip], engine: create() });
    await request({ port, path: "/a", method: "POST", body: "tea" });
    expect(sent(service)).toEqual(["TEA", "TEA"]);
  });
});

describe("Bytes of a body", () => {
  const bytes = Buffer.from("all");

  /** Hands the bytes through handlers, and gives what is to be sent. */
  async function handThrough(...handlers: DelegatingHandler[]) {
    const sent: OutgoingRequest["body"][] = [];
    const context = { route: { id: "a" } } as unknown as GatewayContext;
    const cancellation = { onCancel: () => undefined } as unknown as Cancellation;
    const request = { context, cancellation, isHostOfCode: undefined };
    const given = { method: "POST", origin: "http://localhost", path: "/", headers: {}, body: bytes };
    const send = (outgoing: OutgoingRequest) => {
      sent.push(bodyToSend(outgoing));
      return Promise.resolve(createAnswer({ status: 200 }));
    };
    await runHandlers(handlers, { outgoing: watchOutgoingBody(given, request), known: undefined, request, send });
    return sent;
  }

  const passOnTwice: DelegatingHandler = async (_outgoing, next) => {
    await next();
    return next();
  };

  test("are not copied for handlers that only pass them on", async () => {
    const sent = await handThrough(passOnTwice, passOnTwice);
    expect([sent.length, sent.every((body) => body === bytes)]).toEqual([4, true]);
  });

  test("are copied once for each handler that reads them, and not for the one that has set them", async () => {
    const seen: unknown[] = [];
    const read: DelegatingHandler = (outgoing, next) => {
      seen.push(outgoing.body, outgoing.body);
      return next();
    };
    const set: DelegatingHandler = (outgoing, next) => {
      outgoing.body = bytes;
      seen.push(outgoing.body);
      return next();
    };
    const sent = await handThrough(read, read, set, read);
    const [first, again, ofSecond, , asSet, ofLast] = seen;
    expect([first === again, asSet === bytes, sent[0] === ofLast, new Set([bytes, ...seen]).size]).toEqual([
      true,
      true,
      true,
      4,
    ]);
    expect([first, ofSecond, ofLast]).toEqual([bytes, bytes, bytes]);
  });
});

test("A constant answer tells each client what stands in its bytes by then", async () => {
  const scratch = Buffer.from("of ann");
  const page = createAnswer({ status: 200, body: scratch });
  const write: DelegatingHandler = ({ path }) => {
    scratch.write(path.endsWith("?ben") ? "of ben" : "of ann");
    return Promise.resolve(page);
  };
  const { port } = await startWith({ handlers: [write] });
  const bodies: string[] = [];
  for (const path of ["/a", "/a?ben", "/a"]) bodies.push((await request({ port, path })).body.toString());
  expect(bodies).toEqual(["of ann", "of ben", "of ann"]);
});
