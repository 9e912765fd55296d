import { once } from "node:events";
import { createReadStream } from "node:fs";
import type { RequestListener } from "node:http";
import { PassThrough, Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "@jest/globals";
import compression from "compression";
import cors from "cors";
import express, { type ErrorRequestHandler, type RequestHandler, Router } from "express";
import session from "express-session";
import { type Authenticator, createGateway, type DelegatingHandler, type GatewayOptions } from "../../src/index.ts";
import { createAnswer, type Gateway, parseConfig } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { request, sendBytes } from "../helpers/send-raw.ts";
import { serve } from "../helpers/start-gateway.ts";
import { startUpstream } from "../helpers/start-upstream.ts";

const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const preflight = { origin: "https://app.example.org", "access-control-request-method": "GET" };

const known = new Set(["ada"]);

/** Knows whoever is among the known ones, by the header `X-Who`. */
const Who: Authenticator = Object.assign(
  ({ headers }: Parameters<Authenticator>[0]) => {
    const name = String(headers["x-who"]);
    return known.has(name) ? { id: name, token: name, claims: { sub: name, scope: "read" } } : undefined;
  },
  { challenge: "Who", reads: { headers: ["x-who"] } },
);

const asPost: DelegatingHandler = async (outgoing, next) => {
  outgoing.method = "POST";
  return next();
};

type Middleware = NonNullable<GatewayOptions["middleware"]>[number];

/** As method-override and its like do. */
const overrideMethod: Middleware = (req, _res, next) => {
  req.method = String(req.headers["x-http-method-override"] ?? req.method);
  next();
};

/** Locked routes of an upstream that leads from `/303` and `/307` to what is secret. */
async function start(
  options: GatewayOptions = {},
  mount: (gateway: Gateway) => RequestListener = (gateway) => gateway,
) {
  const upstream = await startUpstream((req, res) => {
    const status = Number(/\d{3}$/.exec(req.url!)?.[0] ?? 200);
    if (status === 200) res.end(`${req.method} secret`);
    else res.writeHead(status, { location: "/secret" }).end();
  });
  ends.push(upstream.close);
  const route = (Key: string, more: object = {}): object => ({
    Key,
    UpstreamPathTemplate: `/${Key}/{rest}`,
    DownstreamPathTemplate: "/{rest}",
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
    AuthenticationOptions: { AuthenticationProviderKey: "Who", AllowedScopes: ["read"] },
    ...more,
  });
  const Routes = [
    route("plain"),
    route("following", { HttpHandlerOptions: { AllowAutoRedirect: true } }),
    route("handled", { DelegatingHandlers: ["asPost"] }),
    route("retried", { DelegatingHandlers: ["asPost"], Retry: { Count: 2, Methods: ["POST", "OPTIONS"] } }),
    route("claimed", { RouteClaimsRequirement: { sub: ["ada"] } }),
    route("failing", { DelegatingHandlers: ["failing"] }),
    route("cached", { CacheOptions: { TtlSeconds: 60, Header: "X-Who" } }),
  ];
  const Aggregates = [
    { UpstreamPathTemplate: "/both/{rest}", UpstreamHttpMethod: ["OPTIONS", "GET"], RouteKeys: ["plain", "handled"] },
    { UpstreamPathTemplate: "/fragile/{rest}", UpstreamHttpMethod: ["OPTIONS"], RouteKeys: ["failing", "plain"] },
    { UpstreamPathTemplate: "/pair/{rest}", UpstreamHttpMethod: ["OPTIONS", "GET"], RouteKeys: ["plain", "claimed"] },
  ];
  const config = parseConfig({ Routes, Aggregates }, { logger: false });
  const { namedHandlers = {}, ...others } = options;
  const named = { authentication: { Who }, namedHandlers: { asPost, failing: asPost, ...namedHandlers } };
  const gateway = createGateway(config, { logger: false, ...named, ...others });
  const running = await serve(mount(gateway), gateway);
  ends.push(running.close);
  const sent = (): string[] => upstream.requests.map(({ method, target }) => `${method} ${target}`);
  const ask = (path: string, headers: Record<string, string>, method = "OPTIONS") =>
    request({ port: running.port, method, path, headers });
  return { ask, sent, gateway, port: running.port, upstream: `http://127.0.0.1:${upstream.port}` };
}

const inExpress = (gateway: Gateway): RequestListener => express().use(gateway);

describe.each(engines)(
  "What came past a lock as a CORS preflight goes upstream as OPTIONS alone, with $name:",
  ({ create }) => {
    test.each<[reason: string, path: string, status: number, sent: readonly string[]]>([
      ["it passes", "/plain/secret", 200, ["OPTIONS /secret"]],
      ["a redirect that would make a GET of it is the answer", "/following/303", 303, ["OPTIONS /303"]],
      ["one that leaves it OPTIONS is followed", "/following/307", 200, ["OPTIONS /307", "OPTIONS /secret"]],
      ["a delegating handler makes nothing else of it", "/handled/secret", 401, []],
      ["nor does one before what is sent again", "/retried/secret", 401, []],
    ])("%s", async (_reason, path, status, expected) => {
      const { ask, sent } = await start({ engine: create() });
      const answer = await ask(path, preflight);
      expect([answer.status, sent()]).toEqual([status, expected]);
      expect(answer.body.toString()).not.toMatch(/(?:GET|POST) secret/);
      if (status === 401) expect(answer.headers["www-authenticate"]).toBe("Who");
    });

    test("middleware makes nothing else of it", async () => {
      const { ask, sent } = await start({ engine: create(), middleware: [overrideMethod] });
      const answer = await ask("/plain/secret", { ...preflight, "x-http-method-override": "DELETE" });
      expect([answer.status, sent()]).toEqual([401, []]);
      expect(JSON.parse(answer.body.toString())).toMatchObject({ code: "authentication-required" });
    });

    test("nor does a part of an aggregate", async () => {
      const { ask, sent } = await start({ engine: create() });
      const answer = await ask("/both/secret", preflight);
      expect(answer.status).toBe(401);
      expect(sent().filter((one) => !one.startsWith("OPTIONS"))).toEqual([]);
    });

    test("whoever is known may be sent on as anything", async () => {
      const { ask, sent } = await start({ engine: create(), middleware: [overrideMethod] });
      const headers = { "x-who": "ada", "x-http-method-override": "DELETE" };
      expect((await ask("/plain/secret", headers)).status).toBe(200);
      expect((await ask("/handled/secret", { "x-who": "ada" })).status).toBe(200);
      expect((await ask("/following/303", { "x-who": "ada" })).body.toString()).toBe("GET secret");
      expect(sent()).toEqual(["DELETE /secret", "POST /secret", "OPTIONS /303", "GET /secret"]);
    });
  },
);

test("a preflight is given nothing that is kept for somebody who was known", async () => {
  const { ask, sent } = await start({ middleware: [overrideMethod] });
  known.add("eve");
  expect((await ask("/cached/secret", { "x-who": "eve" }, "GET")).status).toBe(200);
  expect((await ask("/cached/secret", { "x-who": "eve" }, "GET")).headers["cache-status"]).toContain("hit");
  known.delete("eve");
  const headers = { ...preflight, "x-who": "eve", "x-http-method-override": "GET" };
  expect((await ask("/cached/secret", headers)).status).toBe(401);
  expect(sent()).toEqual(["GET /secret"]);
});

const lockedPaths = ["/plain/secret", "/claimed/secret", "/cached/secret", "/pair/secret"];

const ownAnswer: DelegatingHandler = async () => createAnswer({ status: 200, body: "secret" });
const noBody: DelegatingHandler = async () => createAnswer({ status: 204, headers: { "x-from": "handler" } });
const bodyFor: DelegatingHandler = async (_outgoing, next) => {
  const answer = await next();
  answer.status = 200;
  answer.body = "a secret of its own";
  return answer;
};
/** An answer that the package has not made. */
const foreign: DelegatingHandler = async () => ({
  status: 200,
  statusText: "OK",
  headers: {},
  body: Readable.from(["secret"]),
});
/** Answers in the place of a call that fails. */
const fallBack: DelegatingHandler = async (outgoing, next) => {
  outgoing.method = "GET";
  return next().catch(() => createAnswer({ status: 200, body: "secret" }));
};

describe.each(engines)(
  "What handlers answer without asking the upstream is not for a preflight, with $name:",
  (engine) => {
    test.each<[reason: string, handlers: DelegatingHandler[]]>([
      ["a text", [ownAnswer]],
      ["a stream", [async () => createAnswer({ status: 200, body: Readable.from(["secret"]) })]],
      ["the body of an answer that should have none", [async () => createAnswer({ status: 204, body: "secret" })]],
      ["what an outer handler makes of an empty answer", [bodyFor, noBody]],
      ["what stands in for a call that was refused", [fallBack]],
      ["an answer that the package has not made", [foreign]],
    ])("%s", async (_reason, handlers) => {
      const { ask, sent } = await start({ engine: engine.create(), handlers });
      for (const path of lockedPaths) {
        const answer = await ask(path, preflight);
        expect([path, answer.status, answer.headers["www-authenticate"]]).toEqual([path, 401, "Who"]);
        expect(answer.body.toString()).not.toContain("secret");
      }
      expect(sent()).toEqual([]);
    });

    test.each<[how: string, handler: DelegatingHandler]>([
      [
        "at once",
        async (_outgoing, _next, { res }) => {
          res.end("secret");
          return createAnswer({ status: 204 });
        },
      ],
      [
        "before the upstream's",
        async (_outgoing, next, { res }) => {
          res.setHeader("x-secret", "told").write("secret");
          return next();
        },
      ],
    ])("what they write into the response %s", async (_how, handler) => {
      const { ask } = await start({ engine: engine.create(), handlers: [handler] });
      for (const path of lockedPaths) await expect(ask(path, preflight)).rejects.toThrow(cut);
    });

    test("what they have asked a service for themselves", async () => {
      let origin = "";
      const asksItself: DelegatingHandler = async () => {
        const answer = await fetch(`${origin}/secret`);
        return createAnswer({ status: 200, body: await answer.text() });
      };
      const { ask, upstream } = await start({ engine: engine.create(), handlers: [asksItself] });
      origin = upstream;
      expect(await ask("/plain/secret", preflight)).toMatchObject({ status: 401 });
      expect((await ask("/plain/secret", { "x-who": "ada" }, "GET")).body.toString()).toBe("GET secret");
    });

    test("an answer without a body is, and one that they make of the upstream's", async () => {
      const empty = await start({ engine: engine.create(), handlers: [noBody] });
      expect(await empty.ask("/claimed/secret", preflight)).toMatchObject({
        status: 204,
        headers: { "x-from": "handler" },
      });
      expect((await empty.ask("/pair/secret", preflight)).status).toBe(200);
      expect(empty.sent()).toEqual([]);
      const changed = await start({ engine: engine.create(), handlers: [bodyFor] });
      for (const path of ["/plain/secret", "/claimed/secret", "/cached/secret"])
        expect((await changed.ask(path, preflight)).body.toString()).toBe("a secret of its own");
      expect(changed.sent()).toEqual(["OPTIONS /secret", "OPTIONS /secret", "OPTIONS /secret"]);
    });

    test("whoever is known gets what they answer", async () => {
      const { ask } = await start({ engine: engine.create(), handlers: [ownAnswer] });
      expect((await ask("/claimed/secret", { "x-who": "ada" }, "GET")).body.toString()).toBe("secret");
      expect((await ask("/claimed/secret", { "x-who": "ada" })).body.toString()).toBe("secret");
    });
  },
);

/** What clients say of a connection that was cut. */
const cut = /socket hang up|ECONNRESET/;

/** The bytes of a preflight. */
function preflightOf(path: string, more: Readonly<Record<string, string>> = {}): string {
  const fields = Object.entries({ host: "gateway", ...preflight, ...more });
  return `OPTIONS ${path} HTTP/1.1\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
}

const ownFile = fileURLToPath(import.meta.url);

/** What stands before the gateway in an app, around its middleware, and behind it. */
type Surroundings = Readonly<{
  before?: () => RequestHandler;
  around?: () => RequestHandler;
  error?: ErrorRequestHandler;
}>;

const sessions = { secret: "test", resave: false, saveUninitialized: true };

/** Answers errors a moment later, as whoever reads a template for that. */
const late: ErrorRequestHandler = (error: { status: number }, _req, res, next) =>
  void setTimeout(() => (res.headersSent ? next(error) : res.status(error.status).send("sorry")), 20);

/** What an answer of middleware tells of itself besides its body. */
const tell: RequestHandler = (_req, res, next) => {
  res.status(203).setHeader("X-Secret", "told");
  next();
};

describe.each(engines)("What middleware answers with a body is not for a preflight, with $name:", (engine) => {
  test.each<[how: string, middleware: RequestHandler]>([
    ["as JSON", (_req, res) => void res.json({ data: "secret" })],
    [
      "in pieces",
      (_req, res) => {
        res.write("secret");
        res.write("more");
        res.end("last");
      },
    ],
    ["later", (_req, res) => void setImmediate(() => res.send("secret"))],
    ["by its end", (_req, res) => void res.end(Buffer.from("secret"))],
    ["from a stream", (_req, res) => void Readable.from(["secret", "more"]).pipe(res)],
    ["from a file", (_req, res) => res.sendFile(ownFile)],
    [
      "and lets the request pass all the same",
      (_req, res, next) => {
        res.json({ data: "secret" });
        next();
      },
    ],
    [
      "and fails then",
      (_req, res) => {
        res.json({ data: "secret" });
        throw new Error("too late");
      },
    ],
  ])("%s", async (_how, middleware) => {
    const { ask, sent } = await start({ engine: engine.create(), middleware: [tell, middleware] }, inExpress);
    for (const path of lockedPaths) await expect(ask(path, preflight)).rejects.toThrow(cut);
    expect(sent()).toEqual([]);
  });

  test("where its head has left, the connection is cut", async () => {
    const middleware: RequestHandler = (_req, res) => {
      res.flushHeaders();
      res.write("secret");
    };
    const { port } = await start({ engine: engine.create(), middleware: [middleware] }, inExpress);
    const received = await sendBytes(port, preflightOf("/plain/secret"));
    expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(received).not.toContain("secret");
  });

  describe.each<[around: string, surroundings: Surroundings]>([
    ["in a plain app", {}],
    ["in an app that compresses", { before: () => compression() }],
    ["in an app that answers errors later", { error: late }],
    ["behind compression", { around: () => compression() }],
    ["behind compression of all", { around: () => compression({ threshold: 0 }), error: late }],
    ["in an app with sessions", { before: () => session(sessions) }],
    ["behind sessions", { around: () => session(sessions), before: () => compression() }],
  ])("%s nothing of it goes out:", (_around, { before, around, error }) => {
    test.each<[how: string, middleware: RequestHandler]>([
      ["as JSON", (_req, res) => void res.json({ data: "secret" })],
      ["by its end", (_req, res) => void res.set("content-length", "6").end("secret")],
      ["behind a head", (_req, res) => void res.writeHead(200, { "x-secret": "told" }).end("secret".repeat(1_000))],
      ["behind a head with a length", (_req, res) => void res.writeHead(200, { "content-length": 6 }).end("secret")],
      ["from a file", (_req, res) => void createReadStream(ownFile).pipe(res)],
      ["as a redirect", (_req, res) => res.redirect("/secret")],
      [
        "corked",
        (_req, res) => {
          res.cork();
          res.write("secret");
        },
      ],
      [
        "with trailers",
        (_req, res) => {
          res.addTrailers({ "x-told": "secret" });
          res.end("secret");
        },
      ],
      [
        "in pieces that come later",
        (_req, res) => {
          res.write("first");
          setTimeout(() => res.write("secret"), 1);
          setTimeout(() => res.end("secret"), 5);
        },
      ],
      [
        "from a file that is piped later",
        (_req, res) => {
          res.write("first");
          setTimeout(() => createReadStream(ownFile).pipe(res), 2);
        },
      ],
    ])("%s", async (_how, middleware) => {
      const mount = (gateway: Gateway): RequestListener => {
        const app = express().disable("x-powered-by");
        if (before !== undefined) app.use(before());
        app.use(gateway);
        return error === undefined ? app : app.use(error);
      };
      const all = [...(around === undefined ? [] : [around()]), middleware];
      const { port } = await start({ engine: engine.create(), middleware: all }, mount);
      expect(await sendBytes(port, preflightOf("/plain/secret", { "accept-encoding": "gzip" }))).toBe("");
    });
  });

  describe("where the app answers a failure later,", () => {
    const failure = Object.assign(new Error("of its own"), { status: 418 });

    /** An app whose error handler answers when `isWritten` is kept, as one that reads a template for that. */
    function startLate(middleware: readonly RequestHandler[], isWritten: Promise<unknown>, more: GatewayOptions = {}) {
      const answer: ErrorRequestHandler = (error: { status: number }, _req, res, next) =>
        void isWritten.then(() => (res.headersSent ? next(error) : res.status(error.status).send("sorry")));
      const mount = (gateway: Gateway): RequestListener => express().disable("x-powered-by").use(gateway).use(answer);
      return start({ engine: engine.create(), middleware: [...middleware], ...more }, mount);
    }

    test.each<[what: string, path: string, go: (next: () => void, fail: () => void) => void]>([
      ["a failure of its own", "/plain/secret", (_next, fail) => fail()],
      ["that of the route", "/failing/secret", (next) => next()],
      ["that of a part", "/fragile/secret", (next) => next()],
    ])("nothing of what is written until then goes out: %s", async (_what, path, go) => {
      const failed = Promise.withResolvers<void>();
      const written = Promise.withResolvers<void>();
      const failing: DelegatingHandler = async () => {
        failed.resolve();
        throw failure;
      };
      const middleware: RequestHandler = (_req, res, next) => {
        const fail = (): void => {
          next(failure);
          failed.resolve();
        };
        go(next, fail);
        const write = (): void => {
          res.json({ data: "secret" });
          written.resolve();
        };
        // By the next turn the failure has come to the app.
        void failed.promise.then(() => setImmediate(write));
      };
      const namedHandlers = { failing };
      const { port } = await startLate([middleware], written.promise, { namedHandlers });
      expect(await sendBytes(port, preflightOf(path))).toBe("");
    });

    test.each<[around: string, middleware: RequestHandler[]]>([
      ["alone", []],
      ["behind compression of all", [compression({ threshold: 0 })]],
      ["behind sessions", [session(sessions)]],
    ])("what it answers goes out: %s", async (_around, around) => {
      const fails: RequestHandler = (_req, _res, next) => void setImmediate(() => next(failure));
      const { ask } = await startLate([...around, fails], new Promise((resolve) => setImmediate(resolve)));
      for (const path of ["/plain/secret", "/pair/secret"]) {
        const { status, body } = await ask(path, preflight);
        expect([path, status, body.toString()]).toEqual([path, 418, "sorry"]);
      }
    });

    test("middleware of a second gateway to which the app hands the request writes nothing", async () => {
      const answers: RequestHandler = (_req, res) => void res.json({ data: "secret" });
      const { gateway } = await start({ engine: engine.create(), middleware: [answers] });
      const fails: RequestHandler = (_req, _res, next) => next(failure);
      const handsOn: ErrorRequestHandler = (_error, _req, _res, next) => next();
      const mount = (first: Gateway): RequestListener => express().use(first).use(handsOn).use(gateway);
      const { port } = await start({ engine: engine.create(), middleware: [fails] }, mount);
      expect(await sendBytes(port, preflightOf("/plain/secret"))).toBe("");
    });

    test("what it answers goes out, though another failure was answered meanwhile", async () => {
      const fails: RequestHandler = (_req, _res, next) => next(failure);
      const late = Promise.withResolvers<void>();
      const slow = await startLate([fails], late.promise);
      const quick = await startLate([fails], Promise.resolve());
      const answer = slow.ask("/plain/secret", preflight);
      for (let time = 0; time < 3; time += 1) expect((await quick.ask("/plain/secret", preflight)).status).toBe(418);
      late.resolve();
      const { status, body } = await answer;
      expect([status, body.toString()]).toEqual([418, "sorry"]);
    });
  });

  test("of an answer without one its trailers stay behind", async () => {
    const middleware: RequestHandler = (_req, res) => {
      res.setHeader("trailer", "x-told");
      res.addTrailers({ "x-told": "secret" });
      res.end("");
    };
    const { port } = await start({ engine: engine.create(), middleware: [middleware] }, inExpress);
    const received = await sendBytes(port, preflightOf("/plain/secret", { connection: "close" }));
    expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(received).not.toContain("secret");
  });

  test("the file that it comes from is closed", async () => {
    const files: ReturnType<typeof createReadStream>[] = [];
    const middleware: RequestHandler = (_req, res) => {
      const file = createReadStream(ownFile, { highWaterMark: 100 });
      files.push(file);
      file.pipe(res);
    };
    const { ask } = await start({ engine: engine.create(), middleware: [middleware] }, inExpress);
    await expect(ask("/plain/secret", preflight)).rejects.toThrow(cut);
    for (const file of files) if (!file.closed) await once(file, "close");
    expect(files).toHaveLength(1);
  });

  test("a stream that others hear, too, goes on for them", async () => {
    const news = new PassThrough();
    let heard = "";
    news.pipe(new PassThrough()).on("data", (piece: Buffer) => (heard += piece.toString()));
    const middleware: RequestHandler = (_req, res) => {
      news.pipe(res);
      news.write("first ");
    };
    const { ask } = await start({ engine: engine.create(), middleware: [middleware] }, inExpress);
    await expect(ask("/plain/secret", preflight)).rejects.toThrow(cut);
    news.end("second");
    await once(news, "end");
    expect(heard).toBe("first second");
  });

  test.each<[what: string, middleware: RequestHandler, status: number]>([
    ["that of cors()", cors(), 204],
    ["one whose head is written by itself", (_req, res) => void res.writeHead(200).end(), 200],
    ["one of a status alone", (_req, res) => void res.sendStatus(204), 204],
    ["one with the text of its status", (_req, res) => void res.sendStatus(200), 200],
    [
      "one with that text in pieces",
      (_req, res) => {
        res.write("O");
        res.end("K");
      },
      200,
    ],
    ["that of a router of its own", Router().get("/{*path}", (_req, res) => void res.send("secret")), 200],
    ["an error", (_req, _res, next) => next(Object.assign(new Error("of its own"), { status: 418 })), 418],
  ])("an answer without one is: %s", async (_what, middleware, status) => {
    const { ask, sent } = await start({ engine: engine.create(), middleware: [middleware] }, inExpress);
    for (const path of lockedPaths) expect([path, (await ask(path, preflight)).status]).toEqual([path, status]);
    expect(sent()).toEqual([]);
  });

  test("whatever else the exchange ends with is answered", async () => {
    const matched = async (): Promise<void> => Promise.reject(Object.assign(new Error("of its own"), { status: 418 }));
    const responder = Object.assign((_answer: unknown, _context: unknown, respond: () => Promise<void>) => respond(), {
      matched,
    });
    const busy: RequestHandler = () => undefined;
    const { ask } = await start({ engine: engine.create(), middleware: [busy], responder }, inExpress);
    expect((await ask("/plain/secret", preflight)).status).toBe(418);
  });

  test("the upstream's answer passes whatever middleware stands around it", async () => {
    const passes: RequestHandler = (_req, _res, next) => void setImmediate(next);
    const { ask, sent } = await start({ engine: engine.create(), middleware: [tell, passes] }, inExpress);
    const answer = await ask("/plain/secret", preflight);
    expect([answer.body.toString(), answer.headers["x-secret"]]).toEqual(["OPTIONS secret", "told"]);
    expect((await ask("/pair/secret", preflight)).status).toBe(200);
    expect(sent()).toHaveLength(3);
  });

  test("whoever is known gets it", async () => {
    const answers: RequestHandler = (_req, res) => void res.json({ data: "secret" });
    const { ask } = await start({ engine: engine.create(), middleware: [answers] }, inExpress);
    expect((await ask("/claimed/secret", { "x-who": "ada" }, "GET")).body.toString()).toBe('{"data":"secret"}');
  });
});
