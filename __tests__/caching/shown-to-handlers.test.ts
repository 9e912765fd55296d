import express, { type RequestHandler } from "express";
import { afterEach, describe, expect, test } from "@jest/globals";
import {
  type Authenticator,
  createAnswer,
  createGateway,
  type DelegatingHandler,
  type GatewayHandler,
  type GatewayOptions,
  parseConfig,
} from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { type RunningGateway, serve } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";
import { askAt, configOf, type Got } from "./cached-route.ts";

/** A request of which middleware has made a user. */
type Known = { user?: unknown; headers: Record<string, unknown>; url: string };

const byUser: DelegatingHandler = async (outgoing, next, { req }) => {
  outgoing.headers["x-user"] = `of ${String((req as unknown as Known).user)}`;
  return next();
};

const take =
  (name: string): RequestHandler =>
  (req, _res, next) => {
    (req as unknown as Known).user = req.headers[name];
    Reflect.deleteProperty(req.headers, name);
    next();
  };

const keep =
  (name: string): RequestHandler =>
  (req, _res, next) => {
    (req as unknown as Known).user = req.headers[name];
    next();
  };

const replace =
  (name: string): RequestHandler =>
  (req, _res, next) => {
    (req as unknown as Known).user = req.headers[name];
    req.headers[name] = "gateway.example";
    next();
  };

const takeFromQuery: RequestHandler = (req, _res, next) => {
  (req as unknown as Known).user = new URL(req.url, "http://localhost").searchParams.get("api_key");
  req.url = req.url.split("?")[0]!;
  next();
};

const byHost: DelegatingHandler = async (outgoing, next, { req }) => {
  outgoing.headers["x-user"] = `of ${String(req.headers.host)}`;
  return next();
};

const byMountPath: DelegatingHandler = async (outgoing, next, { req }) => {
  outgoing.headers["x-user"] = `of ${(req as unknown as { baseUrl: string }).baseUrl.slice(1)}`;
  return next();
};

/** What tells clients apart, and what becomes of it before handlers answer by it. */
type Row = Readonly<{
  what: string;
  before?: RequestHandler;
  within?: RequestHandler;
  mount?: string;
  handler?: DelegatingHandler;
  transform?: object;
  asked: (name: string) => Readonly<{ path?: string; headers?: Record<string, string> }>;
  again: "hit" | "bypass";
}>;

const tenant = (name: string) => ({ headers: { "x-tenant": name } });
const authorization = (name: string) => ({ headers: { Authorization: name } });
const host = (name: string) => ({ headers: { Host: name } });

const rows: readonly Row[] = [
  { what: "a header taken out before", before: take("x-tenant"), asked: tenant, again: "hit" },
  { what: "a header replaced before", before: replace("x-tenant"), asked: tenant, again: "hit" },
  { what: "a header taken out within", within: take("x-tenant"), asked: tenant, again: "hit" },
  { what: "a header replaced within", within: replace("x-tenant"), asked: tenant, again: "hit" },
  { what: "a credential taken out before", before: take("authorization"), asked: authorization, again: "bypass" },
  { what: "a credential taken out within", within: take("authorization"), asked: authorization, again: "bypass" },
  { what: "a host rewritten before", before: replace("host"), asked: host, again: "hit" },
  {
    what: "a parameter taken out before",
    before: takeFromQuery,
    asked: (name) => ({ path: `/x?api_key=${name}` }),
    again: "hit",
  },
  {
    what: "a host that a transform hides",
    handler: byHost,
    transform: { "X-Forwarded-Host": "gateway.example" },
    asked: host,
    again: "hit",
  },
  {
    what: "a mount path that a transform hides",
    mount: "/:tenant",
    handler: byMountPath,
    transform: { "X-Forwarded-Prefix": "/api" },
    asked: (name) => ({ path: `/${name}/x` }),
    again: "hit",
  },
];

let upstream: Upstream | undefined;
let running: RunningGateway | undefined;
afterEach(async () => {
  await running?.close();
  await upstream?.close();
  running = upstream = undefined;
});

describe.each(engines)("handlers behind a cache, with $name", ({ create }) => {
  test.each(rows)("answer nobody by what somebody else has sent: $what", async (row) => {
    const { before = passOn, within = passOn, mount = "/", handler = byUser, transform = {}, asked, again } = row;
    await start({ handlers: [handler], middleware: [within] }, { before, mount, transform });
    const got: Got[] = [];
    for (const name of ["ann", "ben", "ann"]) got.push(await askAt(running!.port, asked(name)));
    expect(got.map(({ body }) => body)).toEqual(["for of ann", "for of ben", "for of ann"]);
    expect(String(got[2]!.headers["cache-status"])).toMatch(`; ${again === "hit" ? "hit" : "fwd=bypass"}`);
  });

  test.each<[what: string, set: Readonly<{ before?: RequestHandler; within?: RequestHandler; transform?: object }>]>([
    ["middleware before", { before: replace("x-tenant") }],
    ["middleware within", { within: replace("x-tenant") }],
    ["a transform", { before: keep("x-tenant"), transform: { "X-Tenant": "gateway.example" } }],
  ])("answer nobody by a header that somebody else has sent as %s sets it", async (_who, set) => {
    const { before = passOn, within = passOn, transform = {} } = set;
    await start({ handlers: [byUser], middleware: [within] }, { before, transform });
    const here = "gateway.example";
    const got: string[] = [];
    for (const sent of ["ann", here, undefined, [here, "ben"], undefined, here])
      got.push((await askAt(running!.port, { headers: { Host: "a", ...(sent && { "x-tenant": sent }) } })).body);
    const [one, none] = [`for of ${here}`, "for of undefined"];
    expect(got).toEqual(["for of ann", one, none, `for of ${here}, ben`, none, one]);
  });

  test.each<[what: string, say: (res: express.Response, name: string) => unknown]>([
    ["Cache-Control", (res) => res.setHeader("Cache-Control", "private, no-store")],
    ["a cookie", (res, name) => res.cookie("sid", name)],
    ["Vary", (res) => res.vary("X-Language")],
    ["a header of its own", (res, name) => res.append("X-Guest", name)],
  ])("make nothing for others where they set on the response itself: %s", async (_what, say) => {
    let guests = 0;
    const greet: DelegatingHandler = async (_outgoing, _next, { res }) => {
      guests += 1;
      say(res as express.Response, `guest-${guests}`);
      return createAnswer({ status: 200, body: `for guest ${guests}` });
    };
    await start({ handlers: [greet] });
    const got = [await askAt(running!.port), await askAt(running!.port)];
    expect(got.map(({ body }) => body)).toEqual(["for guest 1", "for guest 2"]);
  });

  test("make nothing for others behind a head that they have written themselves, as nobody can read what it says", async () => {
    let guests = 0;
    const begin: DelegatingHandler = async (_outgoing, _next, { res }) => {
      guests += 1;
      if (guests === 1) res.writeHead(200, { "Cache-Control": "private" });
      return createAnswer({ status: 200, body: `for guest ${guests}` });
    };
    await start({ handlers: [begin] });
    await expect(askAt(running!.port)).rejects.toThrow();
    expect((await askAt(running!.port)).body).toBe("for guest 2");
  });

  test.each<[what: string, name: string, value: string]>([
    ["Cache-Control", "Cache-Control", "private"],
    ["a cookie", "Set-Cookie", "sid=1"],
  ])("make nothing for others where middleware has set what they set: %s", async (_what, name, value) => {
    const answering: RequestHandler = (_req, res, next) => {
      res.setHeader(name, value);
      next();
    };
    const sayAgain: DelegatingHandler = (_outgoing, next, { res }) => {
      res.setHeader(name, value);
      return next();
    };
    await start({ handlers: [sayAgain] }, { before: answering });
    await Promise.all([askAt(running!.port), askAt(running!.port)]);
    await askAt(running!.port);
    expect(upstream!.requests).toHaveLength(3);
  });

  test.each([
    ["another part of an aggregate has said so on the response", "Cache-Control", "private"],
    ["they have set on the response what another part of an aggregate has set there", "X-Branch", "berlin"],
  ])("make nothing for others where %s", async (_where, name, value) => {
    const say: DelegatingHandler = (_outgoing, next, { res }) => {
      res.setHeader(name, value);
      return next();
    };
    await startService();
    const at = (Key: string) => ({ Key, UpstreamPathTemplate: `/${Key}`, DownstreamPathTemplate: `/${Key}` });
    const CacheOptions = { TtlSeconds: 60, BeforeHandlers: true };
    const common = { DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream!.port }], CacheOptions };
    const Routes = ["one", "two"].map((key) => ({ ...common, ...at(key) }));
    await serveConfig(
      { Routes, Aggregates: [{ UpstreamPathTemplate: "/all", RouteKeys: ["one", "two"] }] },
      { handlers: [say] },
    );
    await askAt(running!.port, { path: "/all" });
    await askAt(running!.port, { path: "/all" });
    expect(upstream!.requests).toHaveLength(4);
  });

  test("make what others get, too, where middleware has set something on the response", async () => {
    const greet: RequestHandler = (_req, res, next) => {
      res.append("X-Seen", "1").vary("X-Language");
      next();
    };
    await start({ handlers: [byUser], middleware: [greet] }, { before: greet });
    const got = [await askAt(running!.port), await askAt(running!.port)];
    expect(got.map(({ headers }) => String(headers["cache-status"]).split("; ")[1])).toEqual(["fwd=uri-miss", "hit"]);
  });

  test("make what is not fresh any more anew before a client gets it, as they hold its response", async () => {
    upstream = await startUpstream((_req, res) => {
      const call = upstream!.requests.length;
      if (call === 1) res.setHeader("Age", "11");
      res.setHeader("Cache-Control", "max-age=10, stale-while-revalidate=60").end(`answer ${call}`);
    });
    await start({ handlers: [byUser] }, { cache: { Mode: "Rfc" } });
    const got = [await askAt(running!.port), await askAt(running!.port), await askAt(running!.port)];
    expect(got.map(({ body }) => body)).toEqual(["answer 1", "answer 2", "answer 2"]);
    expect(String(got[2]!.headers["cache-status"])).toMatch("; hit");
  });

  test("are told placeholders apart as they are written out", async () => {
    const count: GatewayHandler = (req, res, next) => {
      Object.assign(res.locals.placeholders as object, { rest: BigInt(String(req.headers["x-count"])), more: null });
      next();
    };
    const own: DelegatingHandler = async (_outgoing, _next, { placeholders: { rest } }) =>
      createAnswer({ status: 200, body: `for ${rest}` });
    await start({ handlers: [own], middleware: [count] });
    const got = [];
    for (const number of ["10", "11", "10"]) got.push(await askAt(running!.port, { headers: { "x-count": number } }));
    expect(got.map(({ status, body }) => [status, body])).toEqual([
      [200, "for 10"],
      [200, "for 11"],
      [200, "for 10"],
    ]);
  });

  test.each([
    { RouteKeys: ["locked", "open"] },
    { RouteKeys: ["open", "locked"] },
    { RouteKeys: ["locked", "other"] },
    { RouteKeys: ["other", "locked"] },
  ])("make nothing for others of whom another part has recognised: $RouteKeys", async ({ RouteKeys }) => {
    const asUser: RequestHandler = (req, res, next) => {
      const { identity } = res.locals as { identity?: { id: string; scheme: string } };
      if (identity?.scheme === "Badge") (req as unknown as Known).user = identity.id;
      next();
    };
    await startService();
    const common = { DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream!.port }] };
    const CacheOptions = { TtlSeconds: 60, BeforeHandlers: true };
    const lockedBy = (name: string) => ({ AuthenticationOptions: { AuthenticationProviderKeys: [name] } });
    const at = (Key: string) => ({ Key, UpstreamPathTemplate: `/${Key}`, DownstreamPathTemplate: `/${Key}` });
    const Routes = [
      { ...common, ...at("locked"), ...lockedBy("Badge") },
      { ...common, ...at("open"), CacheOptions },
      { ...common, ...at("other"), ...lockedBy("All"), CacheOptions: { ...CacheOptions, By: "Identity" } },
    ];
    const badge: Authenticator = (req) => ({ id: String(req.headers["x-guest"]), claims: {} });
    const authentication = { Badge: badge, All: () => ({ id: "anybody", claims: {} }) };
    await serveConfig(
      { Routes, Aggregates: [{ UpstreamPathTemplate: "/all", RouteKeys }] },
      { handlers: [byUser], middleware: [asUser], authentication },
    );
    for (const name of ["ann", "ben"]) {
      const { body } = await askAt(running!.port, { path: "/all", headers: { "x-guest": name } });
      expect(JSON.parse(body)).toEqual(Object.fromEntries(RouteKeys.map((key) => [key, `for of ${name}`])));
    }
  });

  async function startService(): Promise<void> {
    upstream ??= await startUpstream((req, res) => {
      const text = `for ${String(req.headers["x-user"])}`;
      const isPart = !req.url!.startsWith("/x");
      res.setHeader("Content-Type", isPart ? "application/json" : "text/plain");
      res.end(isPart ? JSON.stringify(text) : text);
    });
  }

  async function start(
    options: GatewayOptions,
    {
      before = passOn,
      mount = "/",
      transform = {},
      cache = {},
    }: Readonly<{ before?: RequestHandler; mount?: string; transform?: object; cache?: object }> = {},
  ): Promise<void> {
    await startService();
    const route = {
      CacheOptions: { TtlSeconds: 60, BeforeHandlers: true, ...cache },
      UpstreamHeaderTransform: transform,
    };
    await serveConfig(configOf(upstream!.port, { route }), options, { before, mount });
  }

  async function serveConfig(
    config: object,
    options: GatewayOptions,
    { before, mount }: Readonly<{ before: RequestHandler; mount: string }> = { before: passOn, mount: "/" },
  ): Promise<void> {
    const gateway = createGateway(parseConfig(config, { logger: false }), {
      logger: false,
      engine: create(),
      ...options,
    });
    // Without a header of its own beforehand, Node keeps nothing of a head that is written.
    running = await serve(express().disable("x-powered-by").use(before).use(mount, gateway), gateway);
  }
});

function passOn(_req: unknown, _res: unknown, next: () => void): void {
  next();
}
