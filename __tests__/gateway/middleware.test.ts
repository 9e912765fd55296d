import http from "node:http";
import { afterEach, describe, expect, test } from "@jest/globals";
import express, { type Response } from "express";
import {
  createAnswer,
  createGateway,
  type Gateway,
  type DelegatingHandler,
  type GatewayHandler,
  type GatewayOptions,
  parseConfig,
  problemDetails,
} from "../../src/index.ts";
import { request } from "../helpers/send-raw.ts";
import { serve, startGateway } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function upstream(answer?: http.RequestListener): Promise<Upstream> {
  const started = await startUpstream(answer);
  cleanups.push(started.close);
  return started;
}

const ordersRoute = ({ port }: Upstream, more: object = {}) => ({
  Key: "orders",
  UpstreamPathTemplate: "/orders/{id}/{rest}",
  DownstreamPathTemplate: "/api/{id}/{rest}",
  DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: port }],
  ...more,
});

async function start(routes: object[], options: GatewayOptions = {}, global: object = {}) {
  const running = await startGateway({ Routes: routes, GlobalConfiguration: global }, options);
  cleanups.push(running.close);
  return running;
}

const ownLocals: express.RequestHandler = (_req, res, next) => {
  res.locals.requestId = "own";
  next();
};

describe("middleware between matching and proxying", () => {
  test("sees the route, its metadata typed, raw placeholders and decoded params", async () => {
    const seen: unknown[] = [];
    const look: GatewayHandler = (req, res, next) => {
      const { route, placeholders } = res.locals;
      seen.push(route.id, route.getMetadata("retries", "int"), { ...placeholders }, { ...req.params });
      next();
    };
    const { port } = await start([ordersRoute(await upstream(), { Metadata: { retries: "3" } })], {
      middleware: [look],
    });
    await request({ port, path: "/orders/a%2Fb/c%20d" });
    expect(seen).toEqual(["orders", 3, { id: "a%2Fb", rest: "c%20d" }, { id: "a/b", rest: "c d" }]);
  });

  test("runs in order, only for matched requests", async () => {
    const calls: string[] = [];
    const note =
      (name: string): GatewayHandler =>
      (_req, _res, next) => (calls.push(name), next());
    const { port } = await start([ordersRoute(await upstream())], { middleware: [note("first"), note("second")] });
    await request({ port, path: "/elsewhere" });
    await request({ port, path: "/orders/1/x" });
    expect(calls).toEqual(["first", "second"]);
  });

  test("may change a placeholder, which is then encoded", async () => {
    const target = await upstream();
    const change: GatewayHandler = (_req, res, next) => {
      res.locals.placeholders.id = "ä/x?y";
      next();
    };
    const { port } = await start([ordersRoute(target)], { middleware: [change] });
    await request({ port, path: "/orders/1/z" });
    expect(target.requests[0]?.target).toBe("/api/%C3%A4%2Fx%3Fy/z");
  });

  test.each<[how: string, change: GatewayHandler]>([
    ["anew", (_req, res, next) => ((res.locals.placeholders = { ...res.locals.placeholders, id: "own" }), next())],
    [
      "with all locals",
      (_req, res, next) => ((res.locals = { ...res.locals, placeholders: { id: "own", rest: "z" } }), next()),
    ],
  ])("may set the placeholders %s, for handlers, too", async (_how, change) => {
    const target = await upstream();
    const seen: unknown[] = [];
    const handlers: DelegatingHandler[] = [
      (_outgoing, next, { placeholders, res }) => {
        seen.push(placeholders.id, (res as Response).locals.placeholders === placeholders);
        return next();
      },
    ];
    const { port } = await start([ordersRoute(target)], { middleware: [change], handlers });
    await request({ port, path: "/orders/rival/z" });
    expect([target.requests[0]?.target, ...seen]).toEqual(["/api/own/z", "own", true]);
  });

  test("may set, change and delete headers; rewriting req.url changes nothing", async () => {
    const target = await upstream();
    const change: GatewayHandler = (req, _res, next) => {
      req.headers["x-user"] = "ann";
      delete req.headers.cookie;
      req.headers["x-list"] = ["1", "2"];
      req.url = "/somewhere/else";
      next();
    };
    const { port } = await start([ordersRoute(target)], { middleware: [change] });
    await request({ port, path: "/orders/1/z?q=1", headers: { cookie: "secret=1", connection: "x-user" } });
    const [arrived] = target.requests;
    expect(arrived?.target).toBe("/api/1/z?q=1");
    expect(arrived?.headers["x-user"]).toBe("ann");
    expect(arrived?.headers.cookie).toBeUndefined();
    expect(arrived?.rawHeaders.filter((_, index, all) => all[index - 1]?.toLowerCase() === "x-list")).toEqual([
      "1",
      "2",
    ]);
  });

  type Handler = (req: http.IncomingMessage, res: http.ServerResponse, next: () => void) => void;

  /** What a handler finds, as text. */
  const stateOf = ({ params }: { params?: object }, { locals }: { locals?: object }): string =>
    JSON.stringify([params, locals && Object.entries(locals)]);

  test.each<[string, string, (first: Handler, gateway: Gateway, last: Handler) => http.RequestListener, string]>([
    [
      "an Express app",
      "/acme",
      (first, gateway, last) => express().use("/:tenant", ownLocals, first, gateway, last),
      '[{"tenant":"acme"},[["requestId","own"]]]',
    ],
    [
      "a server without Express",
      "",
      (first, gateway, last) => (req, res) =>
        first(req, res, () => gateway(req, res, () => last(req, res, () => undefined))),
      "[null,null]",
    ],
  ])('leaves the gateway with next("router"), params and locals as they were in %s', async (...row) => {
    const [, prefix, mount, expected] = row;
    const target = await upstream();
    const gateway = createGateway(parseConfig({ Routes: [ordersRoute(target, { RequestIdKey: "X-Id" })] }), {
      logger: false,
      middleware: [(_req, _res, next) => next("router")],
    });
    const states: string[] = [];
    const app = mount(
      (req, res, next) => (states.push(stateOf(req as object, res as object)), next()),
      gateway,
      (req, res) => (states.push(stateOf(req as object, res as object)), res.end()),
    );
    const running = await serve(app, gateway);
    cleanups.push(running.close);
    await request({ port: running.port, path: `${prefix}/orders/1/z` });
    expect(states).toEqual([expected, expected]);
    expect(target.requests).toHaveLength(0);
  });

  test('that comes too late after next("router") does not let a second pass of the request through', async () => {
    const target = await upstream();
    const lateNexts: (() => void)[] = [];
    const gateway = createGateway(parseConfig({ Routes: [ordersRoute(target)] }), {
      logger: false,
      middleware: [
        (_req, res, next) => {
          if (lateNexts.push(next) === 1) return next("router");
          lateNexts[0]!();
          // A turn later the gateway would have sent the request.
          setImmediate(() => res.status(403).end());
        },
      ],
    });
    const running = await serve(express().use(gateway, gateway), gateway);
    cleanups.push(running.close);
    const { status } = await request({ port: running.port, path: "/orders/1/z" });
    expect([status, target.requests.length]).toEqual([403, 0]);
  });

  test("finds what an earlier handler has put into res.locals, where no request id is configured", async () => {
    const gateway = createGateway(parseConfig({ Routes: [ordersRoute(await upstream())] }), {
      logger: false,
      middleware: [(_req, res) => res.json(Object.entries(res.locals).filter(([name]) => name === "requestId"))],
    });
    const running = await serve(express().use(ownLocals, gateway), gateway);
    cleanups.push(running.close);
    const answer = await request({ port: running.port, path: "/orders/1/z" });
    expect(answer.body.toString()).toBe('[["requestId","own"]]');
  });

  test("sees the mount path's parameters beside its own", async () => {
    const seen: unknown[] = [];
    const gateway = createGateway(parseConfig({ Routes: [ordersRoute(await upstream())] }), {
      logger: false,
      middleware: [(req, _res, next) => (seen.push({ ...req.params }), next())],
    });
    const app = express();
    app.use("/:tenant", gateway);
    const running = await serve(app, gateway);
    cleanups.push(running.close);
    await request({ port: running.port, path: "/acme/orders/1/z" });
    expect(seen).toEqual([{ tenant: "acme", id: "1", rest: "z" }]);
  });

  test.each([
    [
      "throws",
      () => {
        throw Object.assign(new Error("no"), { status: 418 });
      },
    ],
    [
      "rejects",
      async () => {
        throw Object.assign(new Error("no"), { status: 418 });
      },
    ],
    [
      "calls next with an error",
      (_req: unknown, _res: unknown, next: (error: unknown) => void) =>
        next(Object.assign(new Error("no"), { status: 418 })),
    ],
  ])("one that %s reaches the app's error handler", async (_title, handler) => {
    const gateway = createGateway(parseConfig({ Routes: [ordersRoute(await upstream())] }), {
      logger: false,
      middleware: [handler as GatewayHandler],
    });
    const app = express();
    app.use(gateway);
    app.use(problemDetails({ logger: false }));
    const running = await serve(app, gateway);
    cleanups.push(running.close);
    const answer = await request({ port: running.port, path: "/orders/1/z" });
    expect([answer.status, answer.headers["content-type"]]).toEqual([418, "application/problem+json; charset=utf-8"]);
    expect(JSON.parse(answer.body.toString())).toEqual({
      type: "about:blank",
      title: "I'm a Teapot",
      status: 418,
      detail: "no",
    });
  });

  test("an error handler is refused when the gateway is made", () => {
    const handler = ((_error: unknown, _req: unknown, _res: unknown, next: () => void) => next()) as never;
    expect(() => createGateway(parseConfig({ Routes: [] }, { logger: false }), { middleware: [handler] })).toThrow(
      "options.middleware[0] is an error handler (four parameters); expected ordinary handlers (req, res, next). " +
        "Error handlers belong in the app: app.use(handler) behind the gateway.",
    );
  });

  test("createGateway says what it wants when it gets something else", () => {
    expect(() => createGateway({ Routes: [] } as never)).toThrow(
      "createGateway() takes what parseConfig() or loadConfig() returns",
    );
  });
});

describe("delegating handlers", () => {
  test("run outermost first, around the call, and may change both sides", async () => {
    const target = await upstream();
    const calls: string[] = [];
    const { port } = await start([ordersRoute(target)], {
      handlers: [
        async (outgoing, next, { route }) => {
          calls.push(`in ${route.id}`);
          outgoing.path += "&by=handler";
          outgoing.headers["x-handler"] = "1";
          const answer = await next();
          answer.headers["x-outer"] = "1";
          calls.push("out");
          return answer;
        },
        async (_outgoing, next) => {
          calls.push("inner");
          const answer = await next();
          answer.status = 201;
          return answer;
        },
      ],
    });
    const answer = await request({ port, path: "/orders/1/z?q=1" });
    expect([answer.status, answer.headers["x-outer"], answer.body.toString()]).toEqual([
      201,
      "1",
      "GET /api/1/z?q=1&by=handler",
    ]);
    expect(target.requests[0]?.headers["x-handler"]).toBe("1");
    expect(calls).toEqual(["in orders", "inner", "out"]);
  });

  test("may answer without an upstream", async () => {
    const target = await upstream();
    const { port } = await start([ordersRoute(target)], {
      handlers: [async () => createAnswer({ status: 203, headers: { "X-Cached": "yes" }, body: "cached" })],
    });
    const answer = await request({ port, path: "/orders/1/z" });
    expect([
      answer.status,
      answer.statusText,
      answer.headers["x-cached"],
      answer.headers["content-length"],
      answer.body.toString(),
    ]).toEqual([203, "Non-Authoritative Information", "yes", "6", "cached"]);
    expect(target.requests).toHaveLength(0);
  });

  test("may send the body of a request anew, framed as it is", async () => {
    const target = await upstream();
    const { port } = await start([ordersRoute(target)], {
      handlers: [
        (outgoing, next) => {
          outgoing.body = Buffer.from("other");
          outgoing.method = "PUT";
          return next();
        },
      ],
    });
    await request({ port, method: "POST", path: "/orders/1/z", body: "original" });
    const [arrived] = target.requests;
    expect([arrived?.method, arrived?.headers["content-length"], arrived?.body.toString()]).toEqual([
      "PUT",
      "5",
      "other",
    ]);
  });

  test("a second call is allowed without a streamed body, refused with one", async () => {
    const target = await upstream();
    const { port } = await start([ordersRoute(target)], {
      handlers: [
        async (_outgoing, next) => {
          (await next()).body.resume();
          return next();
        },
      ],
    });
    expect((await request({ port, path: "/orders/1/z" })).status).toBe(200);
    expect(target.requests).toHaveLength(2);
    expect((await request({ port, method: "POST", path: "/orders/1/z", body: "x" })).status).toBe(500);
  });

  test("cannot lead a request out of its path", async () => {
    const { port } = await start([ordersRoute(await upstream())], {
      handlers: [(outgoing, next) => ((outgoing.path = "/api/../admin"), next())],
    });
    expect((await request({ port, path: "/orders/1/z" })).status).toBe(400);
  });
});
