import { once } from "node:events";
import http, { type RequestListener, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import zlib from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import express, { type Request, type RequestHandler } from "express";
import { parseJsonPath } from "../../src/aggregates/json-path.ts";
import { createAnswer, type DelegatingHandler, type RequestObserver, parseConfig } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { serve } from "../helpers/start-gateway.ts";
import { type Upstream } from "../helpers/start-upstream.ts";
import { createSignal } from "../reload/scene.ts";
import { answersValues, answerWithUrl, type Keys, running, startWhole } from "./start-whole.ts";

const key = "6ca13d52ca70c883e0f0bb101e425a89e8624de51db2d2392593af6a84118090"; // abc123
const schemes = { AuthenticationSchemes: { keys: { Type: "ApiKey", Keys: [{ Name: "tom", Sha256: key }] } } };

const asked = { AuthenticationOptions: { AuthenticationProviderKeys: ["keys"] } };
const onceAnHour = { RateLimitOptions: { Limit: 1, Period: "1h" } };
const withKey = { "X-Api-Key": "abc123" };

describe.each(engines)("The locks of the parts ($name)", ({ create }) => {
  type Locked = Readonly<{
    reason: string;
    keys: Readonly<Record<string, Keys>>;
    status: number;
    headers?: Readonly<Record<string, string>>;
    /** What was asked before, and went through. */
    before?: string;
  }>;

  test.each<Locked>([
    {
      reason: "a scheme of a part, whatever is open to all",
      keys: { b: asked, global: { ...schemes, AuthenticationOptions: { AllowAnonymous: true } } },
      status: 401,
    },
    {
      reason: "a scheme of all routes, where another part is open",
      keys: { a: { AuthenticationOptions: { AllowAnonymous: true } }, global: { ...schemes, ...asked } },
      status: 401,
    },
    {
      reason: "a scope of a part",
      keys: { b: { AuthenticationOptions: { ...asked.AuthenticationOptions, AllowedScopes: ["x"] } }, global: schemes },
      headers: withKey,
      status: 403,
    },
    {
      reason: "a scope of all routes",
      keys: { global: { ...schemes, AuthenticationOptions: { ...asked.AuthenticationOptions, AllowedScopes: ["x"] } } },
      headers: withKey,
      status: 403,
    },
    {
      reason: "a claim that a part requires",
      keys: { b: { ...asked, RouteClaimsRequirement: { role: "admin" } }, global: schemes },
      headers: withKey,
      status: 403,
    },
    { reason: "a limit of a part", keys: { b: onceAnHour }, before: "/both", status: 429 },
    { reason: "a limit of a part that was used up by itself", keys: { b: onceAnHour }, before: "/b", status: 429 },
    {
      reason: "a limit of a part, in its old spelling",
      keys: {
        b: { RateLimitOptions: { EnableRateLimiting: true, Limit: 1, Period: "1h", PeriodTimespan: 3600 } },
        global: { RateLimitOptions: { HttpStatusCode: 430 } },
      },
      before: "/both",
      status: 430,
    },
    { reason: "a limit of all routes", keys: { global: onceAnHour }, before: "/b", status: 429 },
    {
      reason: "a list of addresses of a part that allows others",
      keys: { b: { SecurityOptions: { IPAllowedList: ["10.0.0.0/8"] } } },
      status: 403,
    },
    {
      reason: "a scheme of a part",
      keys: { b: { AuthenticationOptions: { AuthenticationProviderKeys: ["keys"] } }, global: schemes },
      status: 401,
    },
    {
      reason: "a scheme of a part, in its old spelling",
      keys: { b: { AuthenticationOptions: { AuthenticationProviderKey: "keys" } }, global: schemes },
      status: 401,
    },
    {
      reason: "a scheme of all routes",
      keys: { global: { ...schemes, AuthenticationOptions: { AuthenticationProviderKeys: ["keys"] } } },
      status: 401,
    },
    {
      reason: "a list of addresses of a part",
      keys: { b: { SecurityOptions: { IPBlockedList: ["127.0.0.0/8"] } } },
      status: 403,
    },
    {
      reason: "a list of addresses of all routes",
      keys: { global: { SecurityOptions: { IPAllowedList: ["10.0.0.1"] } } },
      status: 403,
    },
    { reason: "a limit of the body of a part", keys: { b: { Limits: { Url: 3 } } }, status: 414 },
  ])("$reason keeps all of them from being asked", async ({ keys, status, headers = {}, before }) => {
    const { upstream, origin } = await startWhole(keys, { engine: create() });
    if (before !== undefined) expect((await fetch(origin + before, { headers })).status).toBe(200);
    upstream.requests.length = 0;
    const answer = await fetch(`${origin}/both`, { headers });
    await answer.text();
    expect([answer.status, upstream.requests]).toEqual([status, []]);
  });
});

describe("Whoever a part does not let in", () => {
  test("A part that refuses is named, with the challenge of its scheme", async () => {
    const { origin } = await startWhole({
      b: { AuthenticationOptions: { AuthenticationProviderKey: "keys" } },
      global: schemes,
    });
    const failed = await fetch(`${origin}/both`);
    expect(failed.headers.get("www-authenticate")).toEqual(expect.any(String));
  });

  test("A part is never null where its lock refuses, whatever may fail", async () => {
    const { origin } = await startWhole({
      b: { AuthenticationOptions: { AuthenticationProviderKey: "keys" } },
      global: schemes,
      aggregate: { OnFailure: "Null" },
    });
    expect((await fetch(`${origin}/both`)).status).toBe(401);
  });

  test("Middleware is asked for each part, with its route and headers of its own", async () => {
    const seen: unknown[] = [];
    const { upstream, origin } = await startWhole(
      {},
      {
        middleware: [
          (req, res, next) => {
            seen.push([res.locals.route.id, req.headers["x-part"]]);
            req.headers["x-part"] = res.locals.route.id;
            next();
          },
        ],
      },
    );
    await fetch(`${origin}/both`);
    expect(seen).toEqual([
      ["a", undefined],
      ["b", undefined],
    ]);
    expect(upstream.requests.map(({ target, headers }) => [target, headers["x-part"]]).toSorted()).toEqual([
      ["/a", "a"],
      ["/b", "b"],
    ]);
  });

  test("Middleware that answers for one part answers for the whole", async () => {
    const { upstream, origin } = await startWhole(
      {},
      { middleware: [(_req, res, next) => (res.locals.route.id === "b" ? void res.sendStatus(418) : next())] },
    );
    expect((await fetch(`${origin}/both`)).status).toBe(418);
    expect(upstream.requests).toEqual([]);
  });

  test("next('router') leaves the gateway for the whole, as the request came", async () => {
    const { upstream, origin } = await startWhole(
      {},
      { middleware: [(_req, res, next) => (res.locals.route.id === "b" ? next("router") : next())] },
    );
    expect((await fetch(`${origin}/both`)).status).toBe(404);
    expect(upstream.requests).toEqual([]);
  });

  test("Each value is judged by the middleware, before any of them is asked for", async () => {
    const { upstream, origin } = await startWhole(
      {},
      {
        answer: answersValues([{ id: 1 }, { id: 0 }]),
        middleware: [(_req, res, next) => (res.locals.placeholders.id === "0" ? void res.sendStatus(403) : next())],
      },
    );
    expect((await fetch(`${origin}/values`)).status).toBe(403);
    expect(upstream.requests.map(({ target }) => target)).toEqual(["/a"]);
  });
});

describe.each(engines)("What middleware sets on the request for one part ($name)", ({ create }) => {
  type Setting = Request & { tenant?: string };
  type Seen = Readonly<Record<string, unknown>>;
  const bodyOf = (text: string) => ({
    method: "POST",
    headers: { "content-type": "application/json" },
    body: text,
  });

  /** An aggregate whose middleware calls `set` for one part alone; what each part's middleware and handlers saw is kept. */
  async function startSetting(
    part: string,
    set: (req: Setting) => void,
    { parser = [], ...more }: { parser?: RequestHandler[]; answer?: RequestListener } = {},
  ) {
    const found: Seen[] = [];
    const sent: Record<string, Seen> = {};
    const look = ({ method, url, tenant, rawHeaders, body }: Setting) => {
      return { method, url, tenant, own: rawHeaders.includes("X-Own"), body: body as unknown };
    };
    const whole = await startWhole(
      {},
      {
        ...more,
        engine: create(),
        middleware: [
          ...parser,
          (req, res, next) => {
            found.push(look(req));
            if (res.locals.route.id === part) set(req);
            next();
          },
        ],
        handlers: [
          (_outgoing, next, { req, route }) => {
            sent[route.id] = look(req as Setting);
            return next();
          },
        ],
      },
    );
    return { ...whole, found, sent };
  }

  function received({ requests }: Upstream) {
    return requests.map(({ method, target, body }) => [method, target, body.toString()]).toSorted();
  }

  test.each(["a", "b"])("in place of what was there is for %s alone", async (part) => {
    const { origin, upstream, found, sent } = await startSetting(part, (req) => {
      req.method = "PUT";
      req.url = "/other";
      req.tenant = "own";
      req.rawHeaders.push("X-Own", "own");
    });
    expect(await (await fetch(`${origin}/both`)).text()).toBe('{"a":"/a","b":"/b"}');
    const asCame = { method: "GET", url: "/both", own: false, body: undefined };
    const other = part === "a" ? "b" : "a";
    expect(found).toEqual([asCame, asCame].map((each) => expect.objectContaining(each) as unknown));
    expect(sent).toEqual({
      [part]: { method: "PUT", url: "/other", tenant: "own", own: true, body: undefined },
      // What the request did not have stays, as a session must.
      [other]: { ...asCame, tenant: "own" },
    });
    expect(received(upstream).toSorted()).toEqual([
      ["GET", `/${other}`, ""],
      ["PUT", `/${part}`, ""],
    ]);
  });

  test.each([
    { how: "in place of the body", set: (req: Setting) => (req.body = { ...(req.body as object), key: "own" }) },
    { how: "in the body", set: (req: Setting) => Object.assign(req.body as object, { key: "own" }) },
    { how: "as its bytes", set: (req: Setting) => Object.assign(req, { rawBody: Buffer.from('{"x":1,"key":"own"}') }) },
  ])("$how is for this part alone, wherever the parser stands", async ({ set }) => {
    const inGateway = await startSetting("a", set, { parser: [express.json()] });
    const behind = await startSetting("a", set);
    const { gateway } = behind.gateway;
    const app = await serve(express().use(express.json(), gateway), gateway);
    running.push(app);
    for (const { origin, upstream } of [inGateway, { ...behind, origin: app.origin }]) {
      expect((await fetch(`${origin}/both`, bodyOf('{"x":1}'))).status).toBe(200);
      expect(received(upstream)).toEqual([
        ["POST", "/a", '{"x":1,"key":"own"}'],
        ["POST", "/b", '{"x":1}'],
      ]);
    }
  });

  test("the other parts have a parsed body with all that it held", async () => {
    const text = '{"__proto__":{"role":"none"},"list":[[]],"":null}';
    const { origin, upstream } = await startSetting("a", (req) => (req.body = {}), { parser: [express.json()] });
    await fetch(`${origin}/both`, bodyOf(text)).then((answer) => answer.text());
    expect(received(upstream)).toEqual([
      ["POST", "/a", "{}"],
      ["POST", "/b", text],
    ]);
  });

  test("what it removes is gone for this part alone", async () => {
    const keep = express.json({ verify: (req, _res, bytes) => void Object.assign(req, { rawBody: bytes }) });
    const remove = (req: Setting) => Reflect.deleteProperty(req, "rawBody");
    const { origin, upstream } = await startSetting("a", remove, { parser: [keep] });
    await fetch(`${origin}/both`, bodyOf('{ "x": 1 }')).then((answer) => answer.text());
    expect(received(upstream)).toEqual([
      ["POST", "/a", '{"x":1}'],
      ["POST", "/b", '{ "x": 1 }'],
    ]);
  });

  test("is not for the calls of a part that is asked for values", async () => {
    const answer = answersValues([{ id: 1 }, { id: 2 }]);
    const { origin, upstream, sent } = await startSetting(
      "a",
      (req) => Object.assign(req, { method: "PUT", tenant: "own" }),
      {
        answer,
      },
    );
    await fetch(`${origin}/values`).then((whole) => whole.text());
    expect(upstream.requests.map(({ method, target }) => `${method} ${target}`).toSorted()).toEqual([
      "GET /users/1",
      "GET /users/2",
      "PUT /a",
    ]);
    expect(sent.users).toMatchObject({ method: "GET" });
  });
});

describe("What a part asks for holds in an aggregate:", () => {
  test("a cache answers for its part, and only for it", async () => {
    const { upstream, origin } = await startWhole({ b: { CacheOptions: { TtlSeconds: 60 } } });
    await fetch(`${origin}/both`).then((answer) => answer.text());
    upstream.requests.length = 0;
    expect(await (await fetch(`${origin}/both`)).text()).toBe('{"a":"/a","b":"/b"}');
    expect(upstream.requests.map(({ target }) => target)).toEqual(["/a"]);
  });

  test.each(engines)("parts are asked for as wholes, whether the cache answers or not ($name)", async ({ create }) => {
    const a = { CacheOptions: { TtlSeconds: 60 } };
    const { upstream, origin } = await startWhole(
      { a },
      { engine: create(), answer: answersValues([{ id: 1 }, { id: 2 }]) },
    );
    const whole = '{"a":[{"id":1},{"id":2}],"users":["/users/1","/users/2"]}';
    const conditions = {
      "If-None-Match": "*",
      "If-Modified-Since": "Wed, 21 Oct 2015 07:28:00 GMT",
      "If-Match": '"a"',
      "If-Unmodified-Since": "Wed, 21 Oct 2015 07:28:00 GMT",
      Range: "bytes=0-1",
      "If-Range": '"a"',
    };
    for (let n = 0; n < 2; n += 1)
      expect(await (await fetch(`${origin}/values`, { headers: conditions })).text()).toBe(whole);
    expect(upstream.requests.filter(({ target }) => target === "/a")).toHaveLength(1);
    for (const { headers } of upstream.requests)
      for (const name of Object.keys(conditions)) expect(headers[name.toLowerCase()]).toBeUndefined();
  });

  test("what a change depends on is for each part to judge", async () => {
    const { upstream, origin } = await startWhole({}, {});
    await fetch(`${origin}/both`, { method: "POST", headers: { "If-Match": '"a"' } });
    expect(upstream.requests.map(({ headers }) => headers["if-match"])).toEqual(['"a"', '"a"']);
  });

  test.each(engines)("a part that fails is asked once more ($name)", async ({ create }) => {
    let calls = 0;
    const { origin } = await startWhole(
      { b: { Retry: { Count: 1 } } },
      {
        engine: create(),
        answer(req, res) {
          if (req.url === "/b" && (calls += 1) === 1) res.writeHead(503).end();
          else answerWithUrl(req, res);
        },
      },
    );
    const answer = await fetch(`${origin}/both`);
    expect([answer.headers.get("aggregate-status"), await answer.text(), calls]).toEqual([
      '"a";status=200, "b";status=200',
      '{"a":"/a","b":"/b"}',
      2,
    ]);
  });

  test.each(engines)("the breaker of a part refuses the whole, or leaves a gap ($name)", async ({ create }) => {
    const answer: RequestListener = (req, res) => {
      if (req.url === "/b") res.writeHead(500).end();
      else answerWithUrl(req, res);
    };
    const b = { QoSOptions: { MinimumThroughput: 1, BreakDuration: 60_000 } };
    const strict = await startWhole({ b }, { engine: create(), answer });
    expect((await fetch(`${strict.origin}/both`)).status).toBe(200);
    const refused = await fetch(`${strict.origin}/both`);
    expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([503, true]);

    const lenient = await startWhole({ b, aggregate: { OnFailure: "Null" } }, { engine: create(), answer });
    await fetch(`${lenient.origin}/both`);
    expect(await (await fetch(`${lenient.origin}/both`)).text()).toBe('{"a":"/a","b":null}');
  });

  test.each(engines)("a reload in the middle changes nothing of what is under way ($name)", async ({ create }) => {
    let finish: (() => void) | undefined;
    let arrived: () => void;
    const arrival = new Promise<void>((resolve) => (arrived = resolve));
    const { origin, gateway } = await startWhole(
      {},
      {
        engine: create(),
        answer(req, res) {
          if (req.url === "/a") return answerWithUrl(req, res);
          res.writeHead(200, { "content-type": "application/json" }).write("[1,");
          finish = () => res.end("2]");
          arrived();
        },
      },
    );
    const asking = fetch(`${origin}/both`);
    await arrival;
    const [first] = gateway.gateway.routes.values();
    await gateway.gateway.reload(parseConfig({ Routes: [first!.config] }, { logger: false }));
    finish!();
    expect(await (await asking).text()).toBe('{"a":"/a","b":[1,2]}');
    expect((await fetch(`${origin}/both`)).status).toBe(404);
  });

  test.each(engines)(
    "a first part that breaks off is a part that failed, where others are asked by its values ($name)",
    async ({ create }) => {
      const { origin } = await startWhole(
        {},
        {
          engine: create(),
          answer(_req, res) {
            res.setHeader("content-type", "application/json").setHeader("content-length", "100");
            res.write("[1,", () => res.destroy());
          },
        },
      );
      const answer = await fetch(`${origin}/values`);
      expect(answer.status).toBe(502);
      expect(await answer.text()).toContain("PartError: The part &quot;a&quot; failed: ");
    },
  );

  describe.each(engines)("the time for an answer, also in the middle of one ($name)", ({ create }) => {
    const a = { Timeout: 0.2 };
    const stops: RequestListener = (_req, res) => {
      res.writeHead(200, { "content-type": "application/json" }).write("[1,");
    };

    test.each([
      { reason: "ends the whole", aggregate: {}, status: 504, text: "PartError: The part &quot;a&quot; failed: " },
      { reason: "leaves a gap", aggregate: { OnFailure: "Null" }, status: 200, text: '{"a":null}' },
      { reason: "comes to an aggregator", aggregate: { Aggregator: "tell" }, status: 200, text: "a answer-timeout" },
    ])("$reason, and frees the connection", async ({ aggregate, status, text }) => {
      let closed: Promise<unknown> | undefined;
      const { origin } = await startWhole(
        { a, aggregate },
        {
          engine: create(),
          aggregators: {
            tell: (parts) =>
              createAnswer({
                status: 200,
                body: parts.map(({ key, error }) => `${key} ${(error as { code?: string }).code}`).join(),
              }),
          },
          answer(req, res) {
            closed = once(res, "close");
            stops(req, res);
          },
        },
      );
      const answer = await fetch(`${origin}/values`);
      expect([answer.status, await answer.text()]).toEqual([status, expect.stringContaining(text)]);
      await closed;
    });

    test("has the status of time-outs that the configuration says", async () => {
      const { origin } = await startWhole({ a, global: { TimeoutStatus: 503 } }, { engine: create(), answer: stops });
      const answer = await fetch(`${origin}/values`);
      expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining("part-failed")]);
    });

    test("cuts what streams already", async () => {
      const { origin } = await startWhole({ a }, { engine: create(), answer: stops });
      await expect(fetch(`${origin}/both`).then((answer) => answer.text())).rejects.toThrow();
    });

    test("holds for each piece, and for a body of a handler's, too", async () => {
      const pieces = ["[1", ",2", ",3", "]"];
      async function* slowly(): AsyncGenerator<string> {
        for (const piece of pieces) {
          yield piece;
          await new Promise((resolve) => setTimeout(resolve, 80));
        }
      }
      async function* never(): AsyncGenerator<string> {
        yield "[1";
        await new Promise(() => undefined);
      }
      const { origin } = await startWhole(
        { a: { ...a, DelegatingHandlers: ["own"] } },
        {
          engine: create(),
          namedHandlers: {
            own: async (_outgoing, _next, { req }) =>
              createAnswer({
                status: 200,
                headers: { "content-type": "application/json" },
                body: Readable.from(req.url === "/both" ? slowly() : never()),
              }),
          },
        },
      );
      expect(await (await fetch(`${origin}/both`)).text()).toBe('{"a":[1,2,3],"b":"/b"}');
      expect((await fetch(`${origin}/values`)).status).toBe(504);
    });
  });

  test.each(engines)(
    "a status that is of no answer is a failure, and any other is told ($name)",
    async ({ create }) => {
      const statuses = ["000", "099", "101", "600", "999"];
      const told: unknown[] = [];
      for (const status of statuses) {
        const { origin } = await startWhole(
          { aggregate: { OnFailure: "Null" } },
          {
            engine: create(),
            answer(req, res) {
              if (req.url === "/a") answerWithUrl(req, res);
              else
                res.socket!.end(
                  `HTTP/1.1 ${status} Odd\r\ncontent-type: application/json\r\ncontent-length: 1\r\n\r\n2`,
                );
            },
          },
        );
        const answer = await fetch(`${origin}/both`);
        told.push([answer.headers.get("aggregate-status"), await answer.text()]);
      }
      const failed = ['"a";status=200, "b";status=502', '{"a":"/a","b":null}'];
      const passed = (status: number) => [`"a";status=200, "b";status=${status}`, '{"a":"/a","b":2}'];
      expect(told).toEqual([failed, failed, failed, passed(600), passed(999)]);
    },
  );

  test.each(engines)(
    "a part that breaks off before its turn cuts the whole, and only that ($name)",
    async ({ create }) => {
      let endFirst: () => void;
      let breakSecond: () => void;
      const { origin } = await startWhole(
        {},
        {
          engine: create(),
          answer(req, res) {
            res.setHeader("content-type", "application/json").write("[1,");
            if (req.url === "/a") endFirst = () => res.end("2]");
            else breakSecond = () => res.once("close", () => setImmediate(endFirst)).destroy();
          },
        },
      );
      const answer = await fetch(`${origin}/both`);
      breakSecond!();
      await expect(answer.text()).rejects.toThrow();
      expect((await fetch(`${origin}/nowhere`)).status).toBe(404);
    },
  );
});

describe.each(engines)("A part whose body a handler has read, and nothing put in its place ($name)", ({ create }) => {
  const readB: DelegatingHandler = async (outgoing, next) => {
    const answer = await next();
    if (outgoing.path !== "/b") return answer;
    await once(answer.body.resume(), "end");
    return answer;
  };

  const gzipped: RequestListener = (_req, res) => {
    res.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(zlib.gzipSync("1"));
  };

  test.each([
    ["plain", { answer: answerWithUrl, b: {} }],
    ["compressed", { answer: gzipped, b: {} }],
    ["read ahead", { answer: answerWithUrl, b: { HttpHandlerOptions: { MaxConnectionsPerServer: 1 } } }],
  ])("ends the whole: %s", async (_how, { answer: listener, b }) => {
    const { origin } = await startWhole({ b }, { engine: create(), answer: listener, handlers: [readB] });
    const answer = await fetch(`${origin}/both`);
    expect([answer.status, await answer.text()]).toEqual([500, expect.stringContaining("was read to its end")]);
  });

  test("is null where the aggregate says so", async () => {
    const keys = { aggregate: { OnFailure: "Null" } };
    const { origin } = await startWhole(keys, { engine: create(), handlers: [readB] });
    const answer = await fetch(`${origin}/both`);
    expect(await answer.json()).toEqual({ a: "/a", b: null });
    expect(answer.headers.get("aggregate-status")).toBe('"a";status=200, "b";status=500');
  });

  test("is a part that has failed for an aggregator, and as the one with the values", async () => {
    const names: (string | undefined)[] = [];
    const readAll: DelegatingHandler = async (_outgoing, next) => {
      const answer = await next();
      await once(answer.body.resume(), "end");
      return answer;
    };
    const { origin } = await startWhole(
      { aggregate: { Aggregator: "look" } },
      {
        engine: create(),
        handlers: [readAll],
        aggregators: {
          look: (parts) => {
            names.push(...parts.map(({ error }) => (error as { code?: string } | undefined)?.code));
            return createAnswer({ status: 200 });
          },
        },
      },
    );
    for (const path of ["/both", "/values"]) await fetch(`${origin}${path}`);
    expect(names).toEqual(["handler-misuse", "handler-misuse", "handler-misuse"]);
  });
});

describe("Calls of the parts", () => {
  test("A body goes to every part", async () => {
    const { upstream, origin } = await startWhole({});
    await fetch(`${origin}/both`, { method: "POST", body: "hello" });
    expect(upstream.requests.map(({ method, target, body }) => [method, target, body.toString()]).toSorted()).toEqual([
      ["POST", "/a", "hello"],
      ["POST", "/b", "hello"],
    ]);
  });

  test("A body that a parser has decompressed holds to the limits of the parts", async () => {
    const { upstream, origin } = await startWhole(
      { global: { Limits: { Body: 1_000 } } },
      { middleware: [express.json()] },
    );
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    const body = zlib.gzipSync(JSON.stringify({ a: "x".repeat(2_000) }));
    const answer = await fetch(`${origin}/both`, { method: "POST", headers, body });
    expect([answer.status, upstream.requests]).toEqual([413, []]);
  });

  test("A body that is longer than 1 MiB is refused, and none is sent", async () => {
    const { upstream, origin } = await startWhole({});
    const answer = await fetch(`${origin}/both`, { method: "POST", body: Buffer.alloc(1024 * 1024 + 1) });
    expect([answer.status, upstream.requests]).toEqual([413, []]);
  });

  test("Each call takes a place of Concurrent, the first one that of the whole", async () => {
    const fits = await startWhole({ global: { Limits: { Concurrent: 2 } } });
    expect((await fetch(`${fits.origin}/both`)).status).toBe(200);
    expect((await fetch(`${fits.origin}/both`)).status).toBe(200);
    const tooMany = await startWhole({ global: { Limits: { Concurrent: 1 } } });
    expect((await fetch(`${tooMany.origin}/both`)).status).toBe(503);
    expect((await fetch(`${tooMany.origin}/a`)).status).toBe(200);
  });

  test.each(engines)("A client that leaves ends all calls ($name)", async ({ create }) => {
    let open = 0;
    const closed: Promise<unknown>[] = [];
    let allThere: () => void;
    const arrived = new Promise<void>((resolve) => (allThere = resolve));
    const { origin } = await startWhole(
      {},
      {
        engine: create(),
        answer: (_req, res) => {
          closed.push(once(res, "close"));
          if ((open += 1) === 2) allThere();
        },
      },
    );
    const request = http.get(`${origin}/both`).on("error", () => undefined);
    await arrived;
    request.destroy();
    await Promise.all(closed);
  });

  test.each(engines.flatMap((engine) => ["/both", "/values"].map((path) => ({ ...engine, path }))))(
    "A client that leaves has its parts not told as failed: $path ($name)",
    async ({ create, path }) => {
      const told: unknown[] = [];
      const note = (fields: object, message: string): void => void told.push([message, fields]);
      const arrived = Promise.withResolvers<ServerResponse>();
      const { origin } = await startWhole(
        { aggregate: { OnFailure: "Null" } },
        {
          engine: create(),
          logger: { error: note, warn: note, info: () => undefined, debug: () => undefined },
          answer(req, res) {
            if (req.url === "/a") res.setHeader("content-type", "application/json").end('[{"id":1}]');
            else arrived.resolve(res);
          },
        },
      );
      const request = http.get(origin + path).on("error", () => undefined);
      const silent = await arrived.promise;
      request.destroy();
      await once(silent, "close");
      // What is asked now comes behind all that the gateway has to say.
      await fetch(`${origin}/a`).then((answer) => answer.text());
      expect(told).toEqual([]);
    },
  );

  test.each(engines)("A client that leaves has no further calls made ($name)", async ({ create }) => {
    const ids = answersValues(Array.from({ length: 100 }, (_, id) => ({ id })));
    const { given, give } = createSignal();
    let calls = 0;
    const { origin, upstream } = await startWhole(
      {},
      {
        engine: create(),
        answer(req, res) {
          if (req.url === "/a") return ids(req, res);
          calls += 1;
          if (calls === 16) give();
        },
      },
    );
    let connections = 0;
    upstream.server.on("connection", () => (connections += 1));
    const request = http.get(`${origin}/values`).on("error", () => undefined);
    await given;
    request.destroy();
    await new Promise((resolve) => request.once("close", resolve));
    // What is asked now comes behind all that the gateway would have begun.
    await fetch(`${origin}/a`).then((answer) => answer.text());
    expect(calls).toBe(16);
    expect(connections).toBeLessThanOrEqual(18);
  });

  const begun = Buffer.from(`[${"1,".repeat(30_000)}`);

  test.each(
    engines.flatMap((engine) => [
      { ...engine, how: "as it is", headers: {}, bytes: begun },
      {
        ...engine,
        how: "in gzip",
        headers: { "content-encoding": "gzip" },
        bytes: zlib.gzipSync(begun).subarray(0, -9),
      },
    ]),
  )("A part that breaks off $how cuts the whole, for the fault of its service ($name)", async (part) => {
    const ended = Promise.withResolvers<string | undefined>();
    const observer: RequestObserver = { begin: () => ({ ended: ({ error }) => ended.resolve(error) }) };
    const { origin } = await startWhole(
      {},
      {
        engine: part.create(),
        observers: [observer],
        answer(req, res) {
          res.setHeader("content-type", "application/json");
          if (req.url === "/a") res.end("1");
          else res.writeHead(200, part.headers).write(part.bytes, () => setImmediate(() => res.destroy()));
        },
      },
    );
    await expect(fetch(`${origin}/both`).then((answer) => answer.text())).rejects.toThrow();
    expect(await ended.promise).toBe("upstream-reset");
  });

  test("A part that cannot be asked is null where that is meant, and its status is told", async () => {
    const { origin } = await startWhole({
      b: { DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: 1 }] },
      aggregate: { OnFailure: "Null" },
    });
    const answer = await fetch(`${origin}/both`);
    expect(answer.headers.get("aggregate-status")).toBe('"a";status=200, "b";status=502');
    expect(await answer.text()).toBe('{"a":"/a","b":null}');
  });

  test("An aggregator gets a failed part with its error", async () => {
    const { origin } = await startWhole(
      { b: { DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: 1 }] }, aggregate: { Aggregator: "tell" } },
      {
        aggregators: {
          tell: (parts) =>
            createAnswer({
              status: 200,
              body: parts.map(({ key, status, error }) => `${key} ${status} ${error !== undefined}`).join(),
            }),
        },
      },
    );
    expect(await (await fetch(`${origin}/both`)).text()).toBe("a 200 false,b 0 true");
  });
});

describe.each(engines)("Where a host has one connection for each route ($name)", ({ create }) => {
  const scarce = { HttpHandlerOptions: { MaxConnectionsPerServer: 1 }, QoSOptions: { Timeout: 10_000 } };

  /** Counts the connections of a route that are in use at the same time, and those that are opened. */
  function watchConnections(listener: RequestListener) {
    const found = { sockets: new Set<unknown>(), busy: 0, most: 0 };
    const answer: RequestListener = (req, res) => {
      if (req.url!.startsWith("/users")) {
        found.sockets.add(req.socket);
        found.most = Math.max(found.most, (found.busy += 1));
        res.on("finish", () => (found.busy -= 1));
      }
      listener(req, res);
    };
    return { answer, found };
  }

  test.each([
    ["one after the other", {}],
    ["with Retry, too", { Retry: { Count: 2 } }],
    ["behind a cache, too", { CacheOptions: { TtlSeconds: 10 } }],
  ])("a part is asked for its values %s", async (_how, more) => {
    const values = Array.from({ length: 20 }, (_, id) => ({ id }));
    const { answer, found } = watchConnections(answersValues(values));
    const { origin } = await startWhole({ users: { ...scarce, ...more } }, { answer, engine: create() });
    const whole = (await (await fetch(`${origin}/values`)).json()) as { users: unknown[] };
    expect(whole.users).toEqual(values.map(({ id }) => `/users/${id}`));
    expect({ most: found.most, opened: found.sockets.size }).toEqual({ most: 1, opened: 1 });
  });

  test("an aggregator gets bodies of megabytes from it", async () => {
    const body = Buffer.alloc(3 * 1024 * 1024);
    const { answer, found } = watchConnections((req, res) => {
      if (req.url === "/a") answersValues([{ id: 1 }, { id: 2 }, { id: 3 }])(req, res);
      else res.end(body);
    });
    const { origin } = await startWhole(
      { users: scarce, aggregate: { Aggregator: "count" } },
      {
        answer,
        engine: create(),
        aggregators: {
          count: (parts) => createAnswer({ status: 200, body: parts.map(({ body: { length } }) => length).join() }),
        },
      },
    );
    const lengths = [0, 1, 2, 3].map((index) => (index === 0 ? '[{"id":1},{"id":2},{"id":3}]' : body).length);
    expect(await (await fetch(`${origin}/values`)).text()).toBe(lengths.join());
    expect(found.most).toBe(1);
  });

  test("longer bodies have it for as long as it takes, and for those that wait the time of an answer is over", async () => {
    const body = JSON.stringify("x".repeat(3 * 1024 * 1024));
    const { origin } = await startWhole(
      { users: { ...scarce, QoSOptions: { Timeout: 300 } } },
      {
        engine: create(),
        answer(req, res) {
          if (req.url === "/users/short") answerWithUrl(req, res);
          else if (req.url === "/a") answersValues([{ id: 1 }, { id: 2 }, { id: 3 }])(req, res);
          else res.setHeader("content-type", "application/json").end(body);
        },
      },
    );
    const whole = fetch(`${origin}/values`);
    expect((await whole).status).toBe(504);
    expect(await (await fetch(`${origin}/users/short`)).text()).toBe('"/users/short"');
  });

  test("two wholes that have what the other one needs do not wait for each other", async () => {
    const answered = { a: createSignal(), b: createSignal() };
    const inTurn = (own: "a" | "b"): DelegatingHandler => {
      return async ({ headers }, next) => {
        if (headers["x-first"] !== own) await answered[own].given;
        const answer = await next();
        answered[own].give();
        return answer;
      };
    };
    const { origin } = await startWhole(
      {
        a: { ...scarce, DelegatingHandlers: ["a"] },
        b: { ...scarce, DelegatingHandlers: ["b"] },
      },
      { engine: create(), namedHandlers: { a: inTurn("a"), b: inTurn("b") } },
    );
    const wholes = await Promise.all(
      ["a", "b"].map((first) => fetch(`${origin}/both`, { headers: { "x-first": first } })),
    );
    expect(await Promise.all(wholes.map((whole) => whole.text()))).toEqual(Array(2).fill('{"a":"/a","b":"/b"}'));
  });

  test("the head leaves before the bodies have come", async () => {
    const seen = createSignal();
    const { origin } = await startWhole(
      { a: scarce, b: scarce },
      {
        engine: create(),
        answer(_req, res) {
          res.setHeader("content-type", "application/json");
          res.write("[1,");
          void seen.given.then(() => res.end("2]"));
        },
      },
    );
    const whole = await fetch(`${origin}/both`);
    seen.give();
    expect(await whole.text()).toBe('{"a":[1,2],"b":[1,2]}');
  });
});

describe("Values of the first answer", () => {
  test("10,000 values are answered with 502 before any is asked for", async () => {
    const values = Array.from({ length: 10_000 }, (_, id) => ({ id }));
    const { upstream, origin } = await startWhole({}, { answer: answersValues(values) });
    expect((await fetch(`${origin}/values`)).status).toBe(502);
    expect(upstream.requests.map(({ target }) => target)).toEqual(["/a"]);
  });

  test("A hundred values are asked for, 16 at a time", async () => {
    let atOnce = 0;
    let most = 0;
    const values = Array.from({ length: 100 }, (_, id) => ({ id }));
    const first = answersValues(values);
    const { origin } = await startWhole(
      {},
      {
        answer: (req, res) => {
          if (req.url === "/a") return first(req, res);
          most = Math.max(most, (atOnce += 1));
          setImmediate(() => {
            atOnce -= 1;
            res.setHeader("content-type", "application/json").end(JSON.stringify(req.url));
          });
        },
      },
    );
    const { users } = (await (await fetch(`${origin}/values`)).json()) as { users: unknown[] };
    expect(users).toEqual(values.map(({ id }) => `/users/${id}`));
    expect(most).toBeLessThanOrEqual(16);
  });

  test("A long answer is looked through in steps, between which requests are served", () => {
    const list = Array.from({ length: 10_000 }, (_, id) => ({ id }));
    for (const path of ["$[*]", "$..id", "$..none"]) {
      const steps = parseJsonPath(path)!(list);
      let count = 0;
      while (steps.next().done !== true) count += 1;
      expect(count).toBeGreaterThan(100);
    }
  });

  test.each([
    { reason: "no values: the first answer is the whole", values: [], whole: "[]" },
    { reason: "one value: its answer alone", values: [{ id: 7 }], whole: '{"a":[{"id":7}],"users":"/users/7"}' },
    {
      reason: "equal values: one call",
      values: [{ id: 7 }, { id: "7" }],
      whole: '{"a":[{"id":7},{"id":"7"}],"users":"/users/7"}',
    },
    {
      reason: "what is no value is left out",
      values: [
        { id: null },
        { id: {} },
        { id: "" },
        { id: ".." },
        { id: "a/../b" },
        { id: "%2e%2e" },
        { id: "x".repeat(257) },
      ],
      whole: undefined,
    },
    {
      reason: "numbers that are too great are no values",
      values: `[{"id":1e999},{"id":1${"0".repeat(5_000)}}]`,
      whole: `[{"id":1e999},{"id":1${"0".repeat(5_000)}}]`,
    },
    {
      reason: "a value stays in its segment",
      values: [{ id: "a/b?c#d" }],
      whole: '{"a":[{"id":"a/b?c#d"}],"users":"/users/a%2Fb%3Fc%23d"}',
    },
    {
      reason: "digits that no number holds",
      values: '[{"id":12345678901234567890}]',
      whole: '{"a":[{"id":12345678901234567890}],"users":"/users/12345678901234567890"}',
    },
  ])("$reason", async ({ values, whole }) => {
    const { origin } = await startWhole({}, { answer: answersValues(values) });
    expect(await (await fetch(`${origin}/values`)).text()).toBe(whole ?? JSON.stringify(values));
  });

  test.each([
    { reason: "as it is", id: "bob", status: 200 },
    { reason: "behind an escape", id: "bo%62", status: 200 },
    { reason: "behind two escapes, of which the upstream reads the first", id: "bo%2562", status: 403 },
  ])("A part's requirement finds the claim $reason in a value", async ({ id, status }) => {
    const keys = [{ Name: "bob", Sha256: key, Claims: { user: "bob" } }];
    const { origin, upstream } = await startWhole(
      {
        users: { ...asked, DownstreamPathTemplate: "/users?id={id}", RouteClaimsRequirement: { user: "{id}" } },
        global: { AuthenticationSchemes: { keys: { Type: "ApiKey", Keys: keys } } },
      },
      { answer: answersValues([{ id }]) },
    );
    expect((await fetch(`${origin}/values`, { headers: withKey })).status).toBe(status);
    const targets = upstream.requests.map(({ target }) => target);
    expect(targets).toEqual(status === 200 ? ["/a", `/users?id=${id}`] : ["/a"]);
  });

  test.each([
    { reason: "no JSON", values: "oops" },
    { reason: "more than a hundred levels", values: "[".repeat(101) + "]".repeat(101) },
    { reason: "more than 1 MiB", values: `"${"x".repeat(1024 * 1024)}"` },
  ])("A first answer that is $reason is 502", async ({ values }) => {
    const { origin } = await startWhole({}, { answer: answersValues(values) });
    expect((await fetch(`${origin}/values`)).status).toBe(502);
  });
});
