import { AsyncLocalStorage } from "node:async_hooks";
import { type RequestListener, ServerResponse } from "node:http";
import { describe, expect, test } from "@jest/globals";
import type { Request, RequestHandler, Response } from "express";
import {
  type Authenticator,
  createAnswer,
  type DelegatingHandler,
  fromMiddleware,
  type GatewayHandler,
} from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { startUpstream } from "../helpers/start-upstream.ts";
import { answersValues, answerWithUrl, type Keys, running, startWhole } from "./start-whole.ts";

const badge: Authenticator = ({ headers: { "x-badge": id } }) =>
  typeof id === "string" ? { id, claims: { of: id } } : undefined;

const asked = { AuthenticationOptions: { AuthenticationProviderKeys: ["Badge"] } };
const cached = { CacheOptions: { TtlSeconds: 60 } };
const onePart = { RouteKeys: ["a"] };
type Seen = Readonly<Record<string, unknown>>;
type Locals = Record<string | symbol, unknown>;

const askAs = (id: string) => ({ headers: { "x-badge": id } });

/** Middleware of the app's own that finds out who is asking. */
const recognise: RequestHandler = (req, res, next) => {
  res.locals.identity = { id: req.get("x-badge"), claims: {} };
  next();
};

describe.each(engines)("The locals of parts ($name)", ({ create }) => {
  const start = (keys: Readonly<Record<string, Keys>>, options: Parameters<typeof startWhole>[1] = {}) =>
    startWhole(keys, { engine: create(), ...options });

  test.each<[string, Keys, number]>([
    ["several parts", {}, 4],
    ["the only part", onePart, 2],
  ])(
    "keep what is answered to somebody whom middleware has recognised from others: %s",
    async (_of, aggregate, calls) => {
      const { origin, upstream } = await start({ a: cached, b: cached, aggregate }, { middleware: [recognise] });
      await fetch(`${origin}/both`, askAs("ann"));
      await fetch(`${origin}/both`, askAs("ben"));
      expect(upstream.requests).toHaveLength(calls);
    },
  );

  test.each<[string, Keys, number]>([
    ["several parts", {}, 2],
    ["the only part", onePart, 1],
  ])("tell answers apart by identity: %s", async (_of, aggregate, each) => {
    const byIdentity = { ...asked, CacheOptions: { TtlSeconds: 60, By: "Identity" } };
    const keys = { a: byIdentity, b: byIdentity, aggregate };
    const { origin, upstream } = await start(keys, { authentication: { Badge: badge } });
    for (const id of ["ann", "ann", "ben", "ann"]) await fetch(`${origin}/both`, askAs(id));
    expect(upstream.requests).toHaveLength(2 * each);
  });

  test.each<[string, Keys, string[]]>([
    ["several parts", {}, ["a", "b"]],
    ["the only part", onePart, ["a"]],
  ])("are those of the part's route for all code that is asked for it: %s", async (_of, aggregate, parts) => {
    const seen: unknown[] = [];
    const look = (who: string, { locals }: Response, context: Seen) =>
      seen.push([who, (context.route as { id: string }).id, locals.identity?.id, locals.route === context.route]);
    const upstream = await startUpstream(answerWithUrl);
    running.push(upstream);
    const balanced = {
      ...asked,
      DownstreamHostAndPorts: ["127.0.0.1", "localhost"].map((Host) => ({ Host, Port: upstream.port })),
      LoadBalancerOptions: { Type: "own" },
      UpstreamHeaderTransform: { "X-Of": "{Of}" },
    };
    const { origin } = await start(
      { a: balanced, b: balanced, aggregate },
      {
        authentication: { Badge: badge },
        balancers: { own: ([first], context) => (look("balancer", context.res as Response, context), first!) },
        headerPlaceholders: { Of: (context) => (look("placeholder", context.res as Response, context), "x") },
        handlers: [(_sent, next, context) => (look("handler", context.res as Response, context), next())],
        responder: (_answer, context, respond) => (look("responder", context.res as Response, context), respond()),
      },
    );
    await fetch(`${origin}/both`, askAs("ann"));
    const whole = ["responder", "aggregate-0", "ann", true];
    const each = parts.flatMap((part) => ["balancer", "handler", "placeholder"].map((who) => [who, part, "ann", true]));
    expect(seen.map(String).toSorted()).toEqual([...each, whole].map(String).toSorted());
  });

  test.each<[string, string, string | undefined]>([
    ["the same for all that found somebody", "ann", "ann"],
    ["nobody's where they found others", "ann, ben", undefined],
    ["the only one where others are open to all", "ann,", "ann"],
    ["the only one where code says of others that it has found nobody", "ann, null", "ann"],
  ])("of the whole have an identity: %s", async (_which, found, expected) => {
    const seen: unknown[] = [];
    const { origin } = await start(
      { aggregate: { Aggregator: "join" } },
      {
        middleware: [
          (_req, res, next) => {
            const [first, other = first] = found.split(/, ?/);
            const id = res.locals.route.id === "a" ? first : other;
            if (id !== "") (res as Response).locals.identity = id === "null" ? null : { id, claims: {} };
            next();
          },
        ],
        aggregators: {
          join(_parts, { res }) {
            seen.push((res as Response).locals.identity?.id);
            return createAnswer({ status: 200 });
          },
        },
      },
    );
    await fetch(`${origin}/both`);
    expect(seen).toEqual([expected]);
  });

  const symbol = Symbol("access");
  const ofLocals = (_req: object, { locals }: Response) => locals as Locals;
  const ofRequest = (req: object): Locals => req as Locals;

  test.each<[string, (req: object, res: Response) => Locals, string | symbol]>([
    ["res.locals.access", ofLocals, "access"],
    ["a symbol in res.locals", ofLocals, symbol],
    ["req.access", ofRequest, "access"],
    ["a symbol on req", ofRequest, symbol],
    ["req._access", ofRequest, "_access"],
  ])("and members of its request are its own: %s", async (_where, ownerOf, name) => {
    const [found, sent]: [unknown[], unknown[]] = [[], []];
    const { origin, gateway } = await start(
      {},
      {
        middleware: [
          (req, res, next) => {
            const owner = ownerOf(req, res as Response);
            found.push(owner[name]);
            owner[name] = res.locals.route.id;
            next();
          },
        ],
        handlers: [
          (_sent, next, { req, res, route }) => {
            sent.push([route.id, ownerOf(req, res as Response)[name]]);
            return next();
          },
        ],
        responder(_answer, { req, res }, respond) {
          found.push(ownerOf(req, res as Response)[name]);
          return respond();
        },
      },
    );
    gateway.server.prependListener("request", (req, res) => {
      const { locals } = Object.assign(res, { locals: {} });
      ownerOf(req, { locals } as Response)[name] = "before";
    });
    await fetch(`${origin}/both`);
    expect([found, sent.toSorted()]).toEqual([
      ["before", "before", "before"],
      [
        ["a", "a"],
        ["b", "b"],
      ],
    ]);
  });

  test("are what middleware has set for each call of a part that is asked for values", async () => {
    const seen: unknown[] = [];
    const { origin } = await start(
      {},
      {
        answer: answersValues([{ id: 1 }, { id: 2 }]),
        middleware: [
          (_req, { locals }, next) => {
            locals.hides = `of ${locals.route.id} ${locals.placeholders.id ?? ""}`;
            next();
          },
        ],
        handlers: [
          (_sent, next, { res }) => {
            const { hides, placeholders } = (res as Response).locals;
            seen.push([hides, placeholders.id]);
            return next();
          },
        ],
      },
    );
    await fetch(`${origin}/values`);
    expect(seen).toEqual([
      ["of a ", undefined],
      ["of users 1", "1"],
      ["of users 2", "2"],
    ]);
  });

  test("keep what middleware adds for the parts behind, for the whole, and for who looks at its end", async () => {
    const seen: unknown[] = [];
    const { origin, gateway } = await start(
      {},
      {
        middleware: [
          (_req, { locals }, next) => {
            seen.push(locals.session);
            locals.session ??= "begun";
            next();
          },
        ],
        responder(_answer, { res }, respond) {
          seen.push((res as Response).locals.session);
          return respond();
        },
      },
    );
    gateway.server.prependListener("request", (_req, res) => {
      res.once("close", () => seen.push((res as Response).locals.session));
    });
    await fetch(`${origin}/both`).then((answer) => answer.text());
    await gateway.gateway.close();
    expect(seen).toEqual([undefined, "begun", "begun", "begun"]);
  });

  test("stand beside all else of the one response", async () => {
    const seen: unknown[] = [];
    const { origin } = await start(
      {},
      {
        handlers: [
          (_sent, next, { req, res, route }) => {
            const shown = res as Response;
            res.once("finish", () => seen.push("finished"));
            const same = shown.set(`x-of-${route.id}`, "set").appendHeader(`x-of-${route.id}`, "again");
            seen.push([res instanceof ServerResponse, same === res, res.req === req, (req as Request).res === res]);
            return next();
          },
        ],
      },
    );
    const { headers } = await fetch(`${origin}/both`);
    expect([headers.get("x-of-a"), headers.get("x-of-b")]).toEqual(["set, again", "set, again"]);
    const all = [true, true, true, true];
    expect(seen).toEqual([all, all, "finished", "finished"]);
  });

  test("go with what a scheme of middleware has set, for the only part", async () => {
    const seen: unknown[] = [];
    const scheme = fromMiddleware(
      (req, res, next) => {
        const user = { sub: "ann" };
        Object.assign(req, { user });
        res.locals.user = user;
        next();
      },
      (req) => (req as object as { user?: { sub: string } }).user,
    );
    const { origin } = await start(
      { a: asked, aggregate: onePart },
      {
        authentication: { Badge: scheme },
        handlers: [
          (_sent, next, { req, res }) => {
            seen.push([(req as Locals & typeof req).user, (res as Response).locals.user]);
            return next();
          },
        ],
      },
    );
    await fetch(`${origin}/both`);
    expect(seen).toEqual([[{ sub: "ann" }, { sub: "ann" }]]);
  });

  test.each(["run", "enterWith"] as const)("go with what middleware begins for a part by %s", async (how) => {
    const storage = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    const { origin } = await start(
      {},
      {
        middleware: [
          (_req, res, next) => {
            const { id } = res.locals.route;
            seen.push([id, storage.getStore()]);
            if (how === "run") return storage.run(id, next);
            storage.enterWith(id);
            next();
          },
        ],
        handlers: [
          (_sent, next, { route }) => {
            seen.push([route.id, storage.getStore()]);
            return next();
          },
        ],
      },
    );
    await fetch(`${origin}/both`);
    expect(seen).toEqual([
      ["a", undefined],
      ["b", undefined],
      ["a", "a"],
      ["b", "b"],
    ]);
  });
});

const beforeHandlers = { CacheOptions: { TtlSeconds: 60, BeforeHandlers: true } };
const unreachable = { DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: 1 }] };

/** The part, and the value that it is asked for, whose middleware finds out who is asking. */
type Finds = Readonly<{ part: string; value?: string }>;

type Row = Readonly<{ what: string; path?: string; finds: Finds; keys: Readonly<Record<string, Keys>> }>;

type Known = { user?: string };

/** Makes of the guest's name what handlers answer by, for one part; any other part's middleware knows nothing of it. */
const recogniseFor =
  ({ part, value }: Finds): GatewayHandler =>
  (req, res, next) => {
    const { route, placeholders } = res.locals as { route: { id: string }; placeholders: { id?: string } };
    if (route.id === part && placeholders.id === value) {
      const id = String(req.headers["x-guest"]);
      Object.assign(req, { user: id });
      Object.assign(res.locals, { identity: { id, claims: {} } });
    }
    next();
  };

const byUser: DelegatingHandler = (outgoing, next, { req }) => {
  outgoing.headers["x-user"] = (req as Known).user ?? "nobody";
  return next();
};

/** The part that names the values of others names the same for all. */
const answer: RequestListener = ({ url, headers }, res) => {
  const user = headers["x-user"];
  res.setHeader("content-type", "application/json");
  res.end(
    JSON.stringify(
      url === "/a"
        ? [
            { id: 1, user },
            { id: 2, user },
          ]
        : { user },
    ),
  );
};

describe.each(engines)("An identity that middleware of a part has found ($name)", ({ create }) => {
  test.each<Row>([
    { what: "the part before", finds: { part: "a" }, keys: { b: beforeHandlers } },
    { what: "the part behind", finds: { part: "b" }, keys: { a: beforeHandlers } },
    {
      what: "a part that fails",
      finds: { part: "a" },
      keys: { a: unreachable, b: beforeHandlers, aggregate: { OnFailure: "Null" } },
    },
    {
      what: "a part behind that fails",
      finds: { part: "b" },
      keys: { a: beforeHandlers, b: unreachable, aggregate: { OnFailure: "Null" } },
    },
    { what: "the only part", finds: { part: "a" }, keys: { a: beforeHandlers, aggregate: { RouteKeys: ["a"] } } },
    { what: "the part that has the values", path: "/values", finds: { part: "a" }, keys: { users: beforeHandlers } },
    {
      what: "an earlier value",
      path: "/values",
      finds: { part: "users", value: "1" },
      keys: { users: beforeHandlers },
    },
    { what: "a later value", path: "/values", finds: { part: "users", value: "2" }, keys: { users: beforeHandlers } },
  ])("keeps what handlers make for somebody from others: $what", async ({ path = "/both", finds, keys }) => {
    const options = { answer, engine: create(), handlers: [byUser], middleware: [recogniseFor(finds)] };
    const { origin } = await startWhole(keys, options);
    for (const name of ["ann", "ben"]) {
      const text = await (await fetch(origin + path, { headers: { "x-guest": name } })).text();
      expect(["ann", "ben"].filter((each) => text.includes(each))).toEqual([name]);
    }
  });

  const byKey: Authenticator = ({ headers: { "x-key": token } }) => ({ id: "shop", claims: {}, token: String(token) });
  const byHeader = { CacheOptions: { TtlSeconds: 60, Header: "X-Key", BeforeHandlers: true } };

  test.each<Readonly<{ what: string; identity: (guest: unknown, found: object) => object; calls: number }>>([
    { what: "somebody else", identity: (id) => ({ id, claims: {} }), calls: 4 },
    { what: "the same, with more", identity: (_id, found) => ({ ...found, plan: "gold" }), calls: 2 },
  ])("counts beside that of a scheme, where it is $what", async ({ identity, calls }) => {
    const recognise: GatewayHandler = (req, res, next) => {
      const { locals } = res as unknown as { locals: { identity: object } };
      locals.identity = identity(req.headers["x-guest"], locals.identity);
      next();
    };
    const told = { ...byHeader, ...asked };
    const { origin, upstream } = await startWhole(
      { a: told, b: told },
      { engine: create(), authentication: { Badge: byKey }, middleware: [recognise] },
    );
    const ask = async (path: string, guest: string) =>
      (await fetch(origin + path, { headers: { "x-key": "k", "x-guest": guest } })).text();
    for (const path of ["/a", "/both"]) {
      const before = upstream.requests.length;
      for (const guest of ["ann", "ben"]) await ask(path, guest);
      expect(upstream.requests.length - before).toBe(path === "/a" ? calls / 2 : calls);
    }
  });
});
