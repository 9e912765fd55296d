import { createReadStream, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { EventEmitter, once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from "@jest/globals";
import express from "express";
import { auth } from "express-oauth2-jwt-bearer";
import session from "express-session";
import { Passport } from "passport";
import { Strategy as BearerStrategy } from "passport-http-bearer";
import {
  createGateway,
  fromMiddleware,
  type GatewayHandler,
  type GatewayOptions,
  type IdentifyingMiddleware,
  parseConfig,
  problemDetails,
  type Responder,
} from "../../src/index.ts";
import { undiciEngine } from "../../src/undici.ts";
import { type Answer, request } from "../helpers/send-raw.ts";
import { serve, startGateway } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";
import { closeAll, open, refusal, startEcho, startLive } from "../websockets/live.ts";
import { createIssuerKey, type Issuer, startIssuer } from "./start-issuer.ts";

type Schemes = NonNullable<GatewayOptions["authentication"]>;
type Ask = (headers?: Record<string, string>, parts?: { method?: string; path?: string }) => Promise<Answer>;

const ends: (() => unknown)[] = [];
let upstream: Upstream;

beforeAll(async () => {
  upstream = await startUpstream((req, res) => {
    res.setHeader("set-cookie", "upstream=1");
    if (req.headers["x-pieces"] !== undefined) {
      res.write("first ");
      setTimeout(() => res.end("second"), 20);
    } else res.end(JSON.stringify(req.headers));
  });
});
afterAll(() => upstream.close());
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  await closeAll();
});

const mountings = ["Express", "node:http"] as const;
type Given = Readonly<{
  mounting?: (typeof mountings)[number];
  options?: GatewayOptions;
  before?: express.RequestHandler[];
}>;

/** Tells what is left of the schemes on a request that has left the gateway. */
const behindGateway: express.RequestHandler = (req, res) => {
  const { user = null } = req as { user?: unknown };
  res.end(JSON.stringify({ user, locals: res.locals }));
};

/** A gateway whose route `/` asks the schemes in their order. */
async function lock(
  authentication: Schemes,
  { mounting = "Express", options = {}, before = [] }: Given = {},
): Promise<Ask> {
  const route = {
    Key: "one",
    UpstreamPathTemplate: "/",
    DownstreamPathTemplate: "/",
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
    AuthenticationOptions: { AuthenticationProviderKeys: Object.keys(authentication) },
  };
  const other = { ...route, Key: "other", UpstreamPathTemplate: "/other" };
  const whole = { UpstreamPathTemplate: "/whole", RouteKeys: ["one", "other"] };
  const config = parseConfig({ Routes: [route, other], Aggregates: [whole] }, { logger: false });
  const gateway = createGateway(config, { authentication, logger: false, ...options });
  const app = express().use(...before, gateway, behindGateway);
  app.use(problemDetails({ logger: false }));
  const { port, close } = await serve(mounting === "Express" ? app : gateway, gateway);
  ends.push(close);
  return (headers = {}, parts = {}) => request({ port, path: "/", headers, ...parts });
}

const subOf = (req: object): { sub?: string } => (req as { user?: { sub?: string } }).user ?? {};
const identify =
  (sub: string): IdentifyingMiddleware =>
  (req, _res, next) => {
    Object.assign(req, { user: { sub } });
    next();
  };
const whoIsIt: GatewayHandler = (req, res) => {
  const { user, auth: token, session: ofSession } = req as unknown as Record<string, unknown>;
  const { identity } = res.locals;
  res.end(JSON.stringify({ identity, user, auth: token, session: ofSession }));
};
const asking = { options: { middleware: [whoIsIt] } };
const bodyOf = ({ body }: Answer): Record<string, unknown> => JSON.parse(body.toString()) as Record<string, unknown>;

describe.each(mountings)("Middleware as a scheme, in %s", (mounting) => {
  const rows: readonly (readonly [string, IdentifyingMiddleware, number])[] = [
    ["that calls next() lets in", identify("ada"), 200],
    [
      "that does so later lets in",
      async (req, res, next) => {
        await Promise.resolve();
        identify("ada")(req, res, next);
      },
      200,
    ],
    ["that finds nobody refuses", (_req, _res, next) => next(), 401],
    ["that finds an empty name refuses", identify(""), 401],
    ['that says next("route") refuses', (req, res, next) => identify("ada")(req, res, () => next("route")), 401],
    ['that says next("router") refuses', (req, res, next) => identify("ada")(req, res, () => next("router")), 401],
    [
      'whose router says next("router") refuses',
      express.Router().use((req, res, next) => identify("ada")(req, res, () => next("router"))),
      401,
    ],
    [
      "that is a router of several lets in",
      express.Router().use((_req, _res, next) => next(), identify("ada") as express.RequestHandler),
      200,
    ],
    ["that answers 401 refuses", (_req, res) => void res.writeHead(401).end(), 401],
    ["that answers 403 refuses", (_req, res) => void res.writeHead(403).end("no"), 401],
    ["that fails with 401 refuses", (_req, _res, next) => next(Object.assign(new Error("no"), { status: 401 })), 401],
    [
      "that throws 403 refuses",
      () => {
        throw Object.assign(new Error("no"), { statusCode: 403 });
      },
      401,
    ],
    ["that fails is a failure", (_req, _res, next) => next(new Error("The store is away.")), 503],
    [
      "that throws is a failure",
      () => {
        throw new Error("The store is away.");
      },
      503,
    ],
    ["that rejects is a failure", async () => Promise.reject(new Error("The store is away.")), 503],
    ["that gives up its response is a failure", (_req, res) => void res.destroy(), 503],
    ["that answers without an end in sight is a failure", (_req, res) => void res.write("x".repeat(2_000_000)), 503],
    ["that fails with nothing to read is a failure", async () => Promise.reject(Object.create(null) as Error), 503],
    [
      "whose error cannot be read is a failure",
      (_req, _res, next) => next(new Proxy({}, { get: fail, ownKeys: fail })),
      503,
    ],
    [
      "whose name is no text is a failure",
      (req, _res, next) => (Object.assign(req, { user: { sub: 7 } }), next()),
      503,
    ],
    [
      "whose claims are no JSON is a failure",
      (req, _res, next) => (Object.assign(req, { user: { sub: "a", count: 1n } }), next()),
      503,
    ],
    [
      "counts once",
      (req, res, next) => {
        next(Object.assign(new Error("no"), { status: 401 }));
        identify("ada")(req, res, next);
      },
      401,
    ],
  ];

  test.each(rows)("%s", async (_title, middleware, status) => {
    const ask = await lock({ Own: fromMiddleware(middleware, subOf) }, { mounting });
    const earlier = upstream.requests.length;
    expect((await ask()).status).toBe(status);
    expect(upstream.requests).toHaveLength(status === 200 ? earlier + 1 : earlier);
  });

  test("its identity is what middleware sees", async () => {
    const toClaims = async (): Promise<object> => Promise.resolve({ sub: "7", plan: "gold", none: undefined });
    const ask = await lock(
      { Own: fromMiddleware((_req, _res, next) => next(), toClaims as never) },
      { mounting, ...asking },
    );
    expect(bodyOf(await ask())).toEqual({ identity: { id: "7", claims: { sub: "7", plan: "gold" }, scheme: "Own" } });
  });
});

function fail(): never {
  throw new Error("no");
}

describe("What a scheme asks of the client", () => {
  const refuse =
    (challenge: string | string[]): IdentifyingMiddleware =>
    (_req, res) =>
      void res.writeHead(401, { "WWW-Authenticate": challenge }).end("no");
  const failWith =
    (headers: object): IdentifyingMiddleware =>
    (_req, _res, next) =>
      next(Object.assign(new Error("no"), { status: 401, headers }));

  test("are the challenges of all, in their order", async () => {
    const ask = await lock({
      One: fromMiddleware(refuse(["One", "Two"]), subOf),
      Two: fromMiddleware(failWith({ "www-authenticate": "Three" }), subOf),
      Three: Object.assign(() => undefined, { challenge: "Four" }),
    });
    const { status, headers, body } = await ask();
    expect([status, headers["www-authenticate"]]).toEqual([401, "One, Two, Three, Four"]);
    expect(JSON.parse(body.toString())).toMatchObject({ code: "authentication-required" });
  });

  const toLogin: IdentifyingMiddleware = (_req, res) => {
    res.cookie("return-to", "here");
    res.redirect("/login");
  };

  test("may be an answer of its own, such as a redirect to a login", async () => {
    const ask = await lock({ Own: fromMiddleware(toLogin, subOf), Other: fromMiddleware(refuse("Other"), subOf) });
    const { status, headers, body } = await ask();
    expect([status, headers.location, body.toString()]).toEqual([302, "/login", "Found. Redirecting to /login"]);
    expect(headers["set-cookie"]).toEqual(["return-to=here; Path=/"]);
    expect(headers).not.toHaveProperty("www-authenticate");
    expect((await ask({}, { method: "HEAD" })).status).toBe(302);
    expect((await ask({}, { method: "POST" })).status).toBe(302);
  });

  test("is not sent where another scheme succeeds, nor anything that it has set", async () => {
    const ask = await lock({ Own: fromMiddleware(toLogin, subOf), Other: fromMiddleware(identify("ada"), subOf) });
    const { status, headers } = await ask();
    expect([status, headers["set-cookie"]]).toEqual([200, ["upstream=1"]]);
  });

  test("gives way to 503 where another scheme has failed, which might have known the client", async () => {
    const broken = fromMiddleware(fail, subOf);
    const ask = await lock({ Own: fromMiddleware(toLogin, subOf), Broken: broken });
    expect((await ask()).status).toBe(503);
  });

  test("may be piped", async () => {
    const folder = mkdtempSync(join(tmpdir(), "waymark-login-"));
    ends.push(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "login.html"), "<h1>Log in</h1>".repeat(10_000));
    const piped: IdentifyingMiddleware = (_req, res) =>
      void createReadStream(join(folder, "login.html")).pipe(res.status(200).type("html"));
    const sent: IdentifyingMiddleware = (_req, res) => res.sendFile(join(folder, "login.html"));
    for (const answer of [piped, sent]) {
      const { status, headers, body } = await (await lock({ Own: fromMiddleware(answer, subOf) }))();
      expect([status, headers["content-type"], body.length]).toEqual([200, "text/html; charset=utf-8", 150_000]);
    }
  });
});

describe("What middleware sets", () => {
  const set: IdentifyingMiddleware = (_req, res) => {
    res.setHeader("x-scheme", "one");
    res.locals.fromScheme = true;
  };

  test("reaches the client where the scheme succeeds, beside what the service sets", async () => {
    const own: IdentifyingMiddleware = (req, res, next) => {
      void set(req, res, next);
      res.cookie("seen", "1");
      identify("ada")(req, res, next);
    };
    for (const engine of [undefined, undiciEngine()]) {
      const ask = await lock({ Own: fromMiddleware(own, subOf) }, engine === undefined ? {} : { options: { engine } });
      const { headers } = await ask();
      expect([headers["x-scheme"], headers["set-cookie"]]).toEqual(["one", ["seen=1; Path=/", "upstream=1"]]);
    }
  });

  test("does not where it fails, and the next scheme finds the request as the first one did", async () => {
    const seen: unknown[] = [];
    const first: IdentifyingMiddleware = (req, res, next) => {
      void set(req, res, next);
      Object.assign(req, { user: { sub: "root" }, auth: {}, session: { admin: true } });
      Reflect.deleteProperty(req, "earlier");
      res.status(401).end();
    };
    const second: IdentifyingMiddleware = (req, res, next) => {
      const { user, auth: token, session: ofSession, earlier } = req as unknown as Record<string, unknown>;
      seen.push({ user, token, ofSession, earlier, locals: { ...res.locals }, status: res.statusCode });
      Object.assign(req, { auth: { sub: "bob" } });
      next();
    };
    const before: express.RequestHandler = (req, _res, next) => (
      Object.assign(req, { user: "before", earlier: 1 }),
      next()
    );
    const ask = await lock(
      { First: fromMiddleware(first, subOf), Second: fromMiddleware(second, (req) => req.auth) },
      { ...asking, before: [before] },
    );
    const answer = await ask();
    expect(seen).toMatchObject([{ user: "before", earlier: 1, status: 200 }]);
    expect(seen[0]).not.toMatchObject({ locals: { fromScheme: true } });
    expect(bodyOf(answer)).toMatchObject({ identity: { id: "bob" }, user: "before", auth: { sub: "bob" } });
    expect(answer.headers).not.toHaveProperty("x-scheme");
  });

  const headed =
    (name: string, sub?: string): IdentifyingMiddleware =>
    (req, _res, next) => {
      req.headers[`x-${name}`] = name;
      delete req.headers["x-sent"];
      req.headersDistinct[`x-${name}`] = [name];
      req.rawHeaders.push(`X-${name}`, name);
      Object.assign(req, { user: { sub } });
      next();
    };
  const sent = { "x-sent": "1" };

  test("in placeholders and parameters is what the service is asked by where the scheme succeeds alone", async () => {
    const changing =
      (id: string, end: IdentifyingMiddleware): IdentifyingMiddleware =>
      (req, res, next) => {
        (res.locals.placeholders as Record<string, string>).id = id;
        req.params.id = id;
        end(req, res, next);
      };
    const refuses = changing("of-refused", (_req, res) => res.status(401).end());
    const knows = changing("of-known", (req, res, next) => identify("ada")(req, res, next));
    const stranger: IdentifyingMiddleware = (req, res, next) => identify("eve")(req, res, next);
    const params: unknown[] = [];
    for (const second of [stranger, knows]) {
      const config = {
        Routes: [
          {
            UpstreamPathTemplate: "/{id}",
            DownstreamPathTemplate: "/of/{id}",
            DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
            AuthenticationOptions: { AuthenticationProviderKeys: ["First", "Second"] },
          },
        ],
      };
      const gateway = await startGateway(config, {
        authentication: { First: fromMiddleware(refuses, subOf), Second: fromMiddleware(second, subOf) },
        middleware: [(req, _res, next) => (params.push(req.params.id), next())],
      });
      ends.push(gateway.close);
      expect((await fetch(`${gateway.origin}/own`)).status).toBe(200);
      params.push(upstream.requests.at(-1)!.target);
    }
    expect(params).toEqual(["own", "/of/own", "of-known", "/of/of-known"]);
  });

  test("of headers reaches the service where the scheme succeeds, and does not where it fails", async () => {
    const replacing: IdentifyingMiddleware = (req, _res, next) => {
      req.headers = { "x-replaced": "1" };
      next();
    };
    const kept: unknown[] = [];
    const keep: GatewayHandler = (req, _res, next) => {
      kept.push(req.headersDistinct["x-first"], req.headersDistinct["x-second"], req.rawHeaders.includes("X-first"));
      next();
    };
    const failing = {
      Replacing: fromMiddleware(replacing, subOf),
      First: fromMiddleware(headed("first"), subOf),
    };
    const schemes = { ...failing, Last: fromMiddleware(headed("second", "ada"), subOf) };
    const seen = bodyOf(await (await lock(schemes, { options: { middleware: [keep] } }))(sent));
    expect(seen).toMatchObject({ "x-second": "second", host: expect.any(String) });
    for (const name of ["x-first", "x-replaced", "x-sent"]) expect(seen).not.toHaveProperty(name);
    expect(kept).toEqual([undefined, ["second"], false]);
    const both = { ...failing, Own: fromMiddleware(identify("ada"), subOf) };
    const untouched = bodyOf(await (await lock(both))(sent));
    expect(untouched).toMatchObject(sent);
    expect(untouched).not.toHaveProperty("x-first");
  });

  test("of headers is taken back where the request leaves the gateway, but for what was set since", async () => {
    const leave: GatewayHandler = (req, _res, next) => {
      req.headers["x-since"] = "1";
      next("router");
    };
    const seen: unknown[] = [];
    const ask = await lock(
      { Own: fromMiddleware(headed("own", "ada"), subOf) },
      {
        options: { middleware: [leave] },
        before: [(req, res, next) => (res.once("finish", () => seen.push(req.headers, req.headersDistinct)), next())],
      },
    );
    await ask(sent);
    expect(seen).toMatchObject([{ "x-sent": "1", "x-since": "1" }, { "x-sent": ["1"] }]);
    for (const headers of seen) expect(headers).not.toHaveProperty("x-own");
  });

  test("is taken back where the request leaves the gateway", async () => {
    const own: IdentifyingMiddleware = (req, res, next) => {
      void set(req, res, next);
      identify("ada")(req, res, next);
    };
    const gatewayOptions: GatewayOptions = { middleware: [(_req, _res, next) => next("router")] };
    const ask = await lock({ Own: fromMiddleware(own, subOf) }, { options: gatewayOptions });
    const { headers, body } = await ask();
    expect(JSON.parse(body.toString())).toEqual({ user: null, locals: {} });
    expect(headers).not.toHaveProperty("x-scheme");
  });
});

describe("Middleware that comes too late", () => {
  afterEach(() => void jest.useRealTimers());

  test("is a failure after five seconds, and harms nobody afterwards", async () => {
    jest.useFakeTimers({ doNotFake: ["nextTick", "setImmediate", "queueMicrotask", "performance"] });
    const asked = new EventEmitter();
    let late: (() => void) | undefined;
    const slow: IdentifyingMiddleware = (req, res, next) => {
      late = () => {
        identify("root")(req, res, next);
        res.setHeader("x-late", "1");
        res.status(418).end("too late");
      };
      asked.emit("asked");
    };
    const seen: unknown[] = [];
    const look: GatewayHandler = (req, res, next) => {
      late!();
      seen.push((req as { user?: unknown }).user, res.locals.identity?.id);
      next();
    };
    const ask = await lock(
      { Slow: fromMiddleware(slow, subOf), Quick: fromMiddleware(identify("ada"), subOf) },
      { options: { middleware: [look] } },
    );
    const isAsked = once(asked, "asked");
    const answer = ask();
    await isAsked;
    jest.advanceTimersByTime(5_000);
    const { status, headers } = await answer;
    expect([status, headers["x-late"], seen]).toEqual([200, undefined, [{ sub: "ada" }, "ada"]]);
  });

  test("with an answer, after it has let the request pass, is not heard", async () => {
    const own: IdentifyingMiddleware = (req, res, next) => {
      identify("ada")(req, res, next);
      res.status(418).end("too late");
      res.json({ too: "late" });
      res.once("finish", () => {
        res.setHeader("x-late", "1");
        res.end("later still");
      });
    };
    const { status, headers, body } = await (await lock({ Own: fromMiddleware(own, subOf) }))();
    expect([status, headers["x-late"]]).toEqual([200, undefined]);
    expect(JSON.parse(body.toString())).toHaveProperty("host");
  });

  const late = (res: express.Response): void => {
    if (res.headersSent) return;
    res.status(503).setHeaders(new Map([["x-late", "1"]]));
    res.appendHeader("Content-Encoding", "gzip").send("busy");
    res.statusMessage = "Too late";
  };

  test.each([
    ["before its scheme has recognised the client", true, undefined],
    ["before its scheme has recognised the client, by undici", true, undiciEngine],
    ["afterwards", false, undefined],
    ["afterwards, by undici", false, undiciEngine],
  ])("with an answer %s, says nothing of the true one", async (_title, isBefore, engine) => {
    let response: express.Response | undefined;
    const own: IdentifyingMiddleware = (req, res, next) => {
      response = res;
      identify("ada")(req, res, next);
    };
    const toClaims = async (req: object): Promise<object> => {
      if (isBefore) late(response!);
      return Promise.resolve(subOf(req));
    };
    const responder: Responder = (answer, { res }) => {
      if (!isBefore) late(response!);
      answer.body.pipe(res);
    };
    const options = { responder, ...(engine && { engine: engine() }) };
    const { status, statusText, headers, body } = await (
      await lock({ Own: fromMiddleware(own, toClaims) }, { options })
    )({ "x-pieces": "two" });
    expect([status, statusText, body.toString()]).toEqual([200, "OK", "first second"]);
    for (const name of ["content-length", "content-type", "content-encoding", "etag"])
      expect(headers).not.toHaveProperty(name);
  });

  test("may still change the true answer in functions that it has replaced", async () => {
    const coding: IdentifyingMiddleware = (req, res, next) => {
      const writeHead = Reflect.get<typeof res, "writeHead">(res, "writeHead");
      res.writeHead = (...values: unknown[]) => {
        res.removeHeader("Content-Length");
        res.setHeader("Content-Encoding", "identity");
        return Reflect.apply(writeHead as (...all: unknown[]) => typeof res, res, values);
      };
      identify("ada")(req, res, next);
    };
    const options = {
      middleware: [((_req, res) => void res.setHeader("Content-Length", 2).end("ok")) as GatewayHandler],
    };
    const { headers, body } = await (await lock({ Own: fromMiddleware(coding, subOf) }, { options }))();
    expect([headers["content-encoding"], headers["content-length"], body.toString()]).toEqual([
      "identity",
      undefined,
      "ok",
    ]);
  });

  test("which it uncorks then, keeps the order of its pieces", async () => {
    const corking: IdentifyingMiddleware = (req, res, next) => {
      res.cork();
      identify("ada")(req, res, next);
      setImmediate(() => res.uncork());
    };
    const ask = await lock({ Corking: fromMiddleware(corking, subOf) });
    const { status, body } = await ask({ "x-pieces": "two" });
    expect([status, body.toString()]).toEqual([200, "first second"]);
  });
});

describe("passport", () => {
  function bearer(): Passport {
    const passport = new Passport();
    passport.use(new BearerStrategy((token, done) => done(null, token === "good" && { sub: "ada" })));
    return passport as never;
  }
  type Passport = InstanceType<typeof Passport>;

  test.each(mountings)("with tokens, in %s", async (mounting) => {
    const Bearer = fromMiddleware(bearer().authenticate("bearer", { session: false }), subOf);
    const ask = await lock({ Bearer }, { mounting });
    expect((await ask({ authorization: "Bearer good" })).status).toBe(200);
    const missing = await ask();
    expect([missing.status, missing.headers["www-authenticate"]]).toEqual([401, 'Bearer realm="Users"']);
    const wrong = await ask({ authorization: "Bearer bad" });
    expect([wrong.status, wrong.headers["www-authenticate"]]).toEqual([
      401,
      'Bearer realm="Users", error="invalid_token"',
    ]);
    expect((await ask({ authorization: "Bearer" })).status).toBe(400);
  });

  test("with errors instead of answers", async () => {
    const options = { session: false, failWithError: true };
    const Bearer = fromMiddleware(bearer().authenticate("bearer", options), subOf);
    const { status, headers } = await (await lock({ Bearer }))();
    expect([status, headers["www-authenticate"]]).toEqual([401, 'Bearer realm="Users"']);
  });
});

describe("Sessions", () => {
  const store = new session.MemoryStore();
  const usual = { secret: "a secret for tests", resave: false, saveUninitialized: false, store };
  const sessions = session(usual);
  const rolling = session({ ...usual, rolling: true });
  type WithUser = { session?: { user?: string } };
  const toClaims = (req: object): { sub?: string } => {
    const { user } = (req as WithUser).session ?? {};
    return user === undefined ? {} : { sub: user };
  };
  const Session = fromMiddleware(sessions, toClaims);

  /** Logs in at an app of its own with the same store; gives the cookie. */
  async function logIn(...middleware: express.RequestHandler[]): Promise<string> {
    const app = express().use(sessions, ...middleware, (_req, res) => void res.end());
    const server = app.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { port: number };
    const { headers } = await request({ port, path: "/" });
    server.closeAllConnections();
    server.close();
    return headers["set-cookie"]![0]!.split(";")[0]!;
  }
  const asAda: express.RequestHandler = (req, _res, next) => (
    Object.assign((req as WithUser).session!, { user: "ada" }),
    next()
  );

  test.each(mountings)("of express-session let in who has logged in, in %s", async (mounting) => {
    const ask = await lock({ Session }, { mounting });
    const cookie = await logIn(asAda);
    expect((await ask({ cookie })).status).toBe(200);
    const { status, headers } = await ask();
    expect([status, headers["set-cookie"]]).toEqual([401, undefined]);
    expect((await ask({ cookie: cookie.replace(/....$/, "AAAA") })).status).toBe(401);
  });

  test("are saved, with their cookies, when the answer is written", async () => {
    const count: GatewayHandler = (req, _res, next) => {
      const own = (req as unknown as { session: { visits?: number } }).session;
      own.visits = (own.visits ?? 0) + 1;
      next();
    };
    const ask = await lock({ Session: fromMiddleware(rolling, toClaims) }, { options: { middleware: [count] } });
    const cookie = await logIn(asAda);
    for (let visits = 1; visits <= 2; visits += 1) {
      const { headers } = await ask({ cookie });
      expect(headers["set-cookie"]).toEqual(["upstream=1", expect.stringMatching(/^connect\.sid=/)]);
      const kept = Object.values(store["sessions" as never] as Record<string, string>).map(
        (text) => JSON.parse(text) as object,
      );
      expect(kept).toContainEqual(expect.objectContaining({ user: "ada", visits }));
    }
  });

  test("before the gateway go on with the answers of aggregates, too, where a scheme reads them", async () => {
    const reads = fromMiddleware((_req, _res, next) => next(), toClaims);
    const ask = await lock({ Session: reads }, { before: [rolling] });
    const cookie = await logIn(asAda);
    const { status, headers } = await ask({ cookie }, { path: "/whole" });
    expect([status, headers["set-cookie"]]).toEqual([200, [expect.stringMatching(/^connect\.sid=/)]]);
    expect((await ask({}, { path: "/whole" })).status).toBe(401);
  });

  test("that begin with a redirect to the login are kept", async () => {
    const toLogin = express.Router().use(sessions, (req, res, next) => {
      if (toClaims(req).sub !== undefined) return next();
      Object.assign((req as WithUser).session!, { returnTo: req.originalUrl });
      res.redirect("/login");
    });
    const ask = await lock({ Session: fromMiddleware(toLogin, toClaims) });
    const { status, headers } = await ask();
    expect([status, headers.location]).toEqual([302, "/login"]);
    expect(headers["set-cookie"]).toEqual([expect.stringMatching(/^connect\.sid=/)]);
  });

  test("of passport let in who has logged in", async () => {
    const passport = new Passport();
    passport.serializeUser((user, done) => done(null, (user as { sub: string }).sub));
    passport.deserializeUser((sub: string, done) => done(null, { sub }));
    const logInAsAda: express.RequestHandler = (req, _res, next) => req.logIn({ sub: "ada" }, next);
    const both = express.Router().use(sessions, passport.session());
    const Login = fromMiddleware(both, subOf);
    const ask = await lock({ Login }, asking);
    const cookie = await logIn(passport.initialize(), logInAsAda);
    expect(bodyOf(await ask({ cookie }))).toMatchObject({
      identity: { id: "ada", scheme: "Login" },
      user: { sub: "ada" },
    });
    expect((await ask()).status).toBe(401);
  });

  test("let WebSockets in", async () => {
    const echo = await startEcho();
    const route = { AuthenticationOptions: { AuthenticationProviderKey: "Session" } };
    const { url } = await startLive(echo.port, { route, options: { authentication: { Session } } });
    expect((await refusal(url)).status).toBe(401);
    expect(echo.arrivals).toHaveLength(0);
    const cookie = await logIn(asAda);
    const socket = await open(url, {
      headers: { cookie, origin: url.replace("ws:", "http:").replace("/live/main", "") },
    });
    expect(echo.arrivals).toHaveLength(1);
    socket.terminate();
  });
});

describe("express-oauth2-jwt-bearer", () => {
  let issuer: Issuer;
  beforeAll(async () => {
    issuer = await startIssuer(await createIssuerKey("one", "RS256"));
  });
  afterAll(() => issuer.close());

  test("lets in who has a token", async () => {
    const middleware = auth({ issuerBaseURL: issuer.url, audience: "api" });
    const ask = await lock({ Bearer: fromMiddleware(middleware, (req) => req.auth?.payload) });
    expect((await ask({ authorization: `Bearer ${await issuer.sign({ iat: 1 })}` })).status).toBe(200);
    const missing = await ask();
    expect([missing.status, missing.headers["www-authenticate"]]).toEqual([
      401,
      expect.stringMatching(/^Bearer realm="api"/),
    ]);
    const wrong = await ask({ authorization: `Bearer ${await issuer.sign({ aud: "other" })}` });
    expect(wrong.headers["www-authenticate"]).toMatch(/^Bearer realm="api", error="invalid_token"/);
  });
});

test.each<[string, unknown, unknown]>([
  ["an error handler", problemDetails(), subOf],
  ["several in a list", [identify("ada")], subOf],
  ["nothing that reads claims", identify("ada"), undefined],
])("fromMiddleware() refuses %s", (_title, handler, toClaims) => {
  expect(() => fromMiddleware(handler as never, toClaims as never)).toThrow(
    expect.objectContaining({ code: "option-invalid" }),
  );
});
