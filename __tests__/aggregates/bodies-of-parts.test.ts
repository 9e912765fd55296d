import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test } from "@jest/globals";
import express, { type Request, type RequestHandler } from "express";
import { createPartBodies, type PartBodies, type PartBody } from "../../src/bodies/body-of-part.ts";
import { createGateway, type DelegatingHandler, type GatewayOptions, parseConfig } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { type RunningGateway, serve } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

const running: (RunningGateway | Upstream)[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map(({ close }) => close()));
});

/** An aggregate of `a` and `b`, and one that asks `b` for so many values, behind what stands before the gateway. */
async function startWhole(
  before: RequestHandler,
  { calls = 2, behind = pass, ...options }: GatewayOptions & { calls?: number; behind?: RequestHandler } = {},
) {
  const upstream = await startUpstream((req, res) => {
    const ids = Array.from({ length: calls }, (_, id) => ({ id }));
    req.resume().on("end", () => res.setHeader("content-type", "application/json").end(JSON.stringify(ids)));
  });
  const UpstreamHttpMethod = ["POST"];
  const route = (Key: string, path: string) => ({
    Key,
    UpstreamPathTemplate: path,
    DownstreamPathTemplate: path,
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
  });
  const config = {
    Routes: [route("a", "/a"), route("b", "/b"), route("values", "/values/{id}")],
    Aggregates: [
      { UpstreamPathTemplate: "/both", UpstreamHttpMethod, RouteKeys: ["a", "b"] },
      {
        UpstreamPathTemplate: "/list",
        UpstreamHttpMethod,
        RouteKeys: ["a", "values"],
        RouteKeysConfig: [{ RouteKey: "values", JsonPath: "$[*].id", Parameter: "{id}" }],
      },
    ],
  };
  const gateway = createGateway(parseConfig(config, { logger: false }), { logger: false, ...options });
  const app = await serve(express().use(before, gateway, behind), gateway);
  running.push(upstream, app);
  return { upstream, origin: app.origin };
}

const json = "application/json";
const form = "application/x-www-form-urlencoded";

async function post(url: string, body: string, type = json) {
  const answer = await fetch(url, { method: "POST", headers: { "content-type": type }, body });
  await answer.text();
  return answer.status;
}

function received({ requests }: Upstream) {
  return requests.map(({ target, body }) => `${target} ${body.toString()}`).toSorted();
}

const pass: RequestHandler = (_req, _res, next) => next();

function isFor(part: string, set: (req: Request) => void): RequestHandler {
  return (req, res, next) => {
    if (res.locals.route.id === part) set(req);
    next();
  };
}

describe.each(engines)("What the layer of a parser makes of the body for one part ($name)", ({ create }) => {
  const sign = isFor("a", ({ body }) => Object.assign(body as object, { key: "own" }));

  test.each([
    { how: "in the body", layers: [express.json(), sign] },
    { how: "in place of the body", layers: [express.json(), isFor("a", (req) => (req.body = { x: 1, key: "own" }))] },
    {
      how: "as its bytes",
      layers: [
        express.json(),
        isFor("a", (req) => Object.assign(req, { rawBody: Buffer.from('{"x":1,"key":"own"}') })),
      ],
    },
    {
      how: "in the object that it has set",
      layers: [
        async (...[req, res, next]: Parameters<RequestHandler>) => {
          if (req.readableEnded) return next();
          const body = JSON.parse(await text(req)) as Record<string, unknown>;
          req.body = body;
          if (res.locals.route.id === "a") body.key = "own";
          next();
        },
      ],
    },
  ])("$how is for this part alone", async ({ layers }) => {
    const { upstream, origin } = await startWhole(pass, {
      engine: create(),
      middleware: [express.Router().use(...layers)],
    });
    expect(await post(`${origin}/both`, '{"x":1}')).toBe(200);
    expect(received(upstream)).toEqual(['/a {"x":1,"key":"own"}', '/b {"x":1}']);
  });

  test.each(["{}", "{ }", "{}\r\n", "{\r\n }"])(
    "is for this part alone where the client has sent nothing to fill: %j",
    async (sent) => {
      const { upstream, origin } = await startWhole(pass, {
        engine: create(),
        middleware: [express.Router().use(express.json(), sign)],
      });
      expect(await post(`${origin}/both`, sent)).toBe(200);
      expect(received(upstream)).toEqual(['/a {"key":"own"}', "/b {}"]);
    },
  );

  test.each([
    { type: form, sent: "x=1&y=2", read: (sent: string) => new URLSearchParams(sent) },
    { type: form, sent: "x=1", read: (sent: string) => new URLSearchParams(sent) },
    { type: json, sent: '{"":1}', read: (sent: string) => Object.entries(JSON.parse(sent) as object) },
  ])("is for all where it fills what it has set empty: $sent", async ({ type, sent, read }) => {
    const fill: RequestHandler = async (req, _res, next) => {
      if (req.readableEnded) return next();
      const members = read(await text(req));
      req.body = {};
      for (const [name, value] of members) Reflect.set(req.body as object, name, value);
      next();
    };
    const { upstream, origin } = await startWhole(pass, { engine: create(), middleware: [fill] });
    expect(await post(`${origin}/both`, sent, type)).toBe(200);
    expect(received(upstream)).toEqual([`/a ${sent}`, `/b ${sent}`]);
  });
});

describe("A request that leaves the gateway at a part", () => {
  async function leave(before: RequestHandler, change: (req: Request) => void) {
    const middleware: RequestHandler = (req, res, next) => {
      if (res.locals.route.id === "a") return next();
      change(req);
      next("router");
    };
    const behind: RequestHandler = (req, res) => void res.json(Object.getOwnPropertyDescriptor(req, "body") ?? "none");
    const { origin } = await startWhole(before, { behind, middleware: [middleware] });
    const sent = { method: "POST", headers: { "content-type": json }, body: '{"x":1}' };
    return (await fetch(`${origin}/both`, sent)).json();
  }

  const asSet = { writable: true, enumerable: true, configurable: true };

  test.each([
    { how: "changed in place", change: ({ body }: Request) => Object.assign(body as object, { y: 2 }), y: 2 },
    { how: "set anew", change: (req: Request) => (req.body = { x: 1, y: 3 }), y: 3 },
    { how: "left as it was", change: ({ body }: Request) => Object.keys(body as object), y: undefined },
  ])("has the body that middleware has $how", async ({ change, y }) => {
    expect(await leave(express.json(), change)).toEqual({ ...asSet, value: { x: 1, y } });
  });

  test("has no body where nobody has read it", async () => {
    expect(await leave(pass, () => undefined)).toBe("none");
  });
});

describe.each(engines)("A parsed body of an aggregate that makes many calls ($name)", ({ create }) => {
  /** Counts how often the members of the body are looked through. */
  async function countLooks(type: string, sent: string, calls: number, middleware: RequestHandler) {
    let looks = 0;
    const parse = express().use(express.json(), express.urlencoded({ extended: true }), (req, _res, next) => {
      const ownKeys = (body: object) => {
        looks += 1;
        return Reflect.ownKeys(body);
      };
      req.body = new Proxy(req.body as object, { ownKeys });
      next();
    });
    const { upstream, origin } = await startWhole(parse, { engine: create(), calls, middleware: [middleware] });
    expect(await post(`${origin}/list`, sent, type)).toBe(200);
    expect(upstream.requests.map(({ body }) => body.toString())).toEqual(Array(calls + 1).fill(sent));
    return looks;
  }

  test.each([
    [json, '{"x":1}'],
    [form, "x=1&y%5Bz%5D=2"],
  ])("of the type %s is neither copied nor written for each", async (type, sent) => {
    const [few, many] = [await countLooks(type, sent, 1, pass), await countLooks(type, sent, 40, pass)];
    expect(many).toBe(few);
  });

  test("is written once, though middleware reads it for each", async () => {
    let writings = 0;
    const parse = express().use(express.json(), (req, _res, next) => {
      const toJSON = () => {
        writings += 1;
        return "inner";
      };
      req.body = { inner: { toJSON } };
      next();
    });
    const read: RequestHandler = ({ body }, _res, next) => next(body.none);
    const { origin } = await startWhole(parse, { engine: create(), calls: 40, middleware: [read] });
    expect(await post(`${origin}/list`, '{"inner":1}')).toBe(200);
    // Middleware has read it between the first part and the calls for its values, and may have changed what lies deeper.
    expect(writings).toBe(2);
  });

  test("is written as each part's head says", async () => {
    const types: RequestHandler = (req, res, next) => {
      if (res.locals.route.id === "b") req.headers["content-type"] = form;
      next();
    };
    const { upstream, origin } = await startWhole(express.json(), { engine: create(), middleware: [types] });
    expect(await post(`${origin}/both`, '{"x":"1"}')).toBe(200);
    expect(received(upstream)).toEqual(['/a {"x":"1"}', "/b x=1"]);
  });

  test("that middleware changes deep inside is sent as it is then", async () => {
    const change: RequestHandler = (req, res, next) => {
      if (res.locals.route.id === "values") req.body.inner.id = res.locals.placeholders.id;
      next();
    };
    const { upstream, origin } = await startWhole(express.json(), { engine: create(), calls: 1, middleware: [change] });
    await post(`${origin}/list`, '{"inner":{}}');
    expect(received(upstream)).toEqual(['/a {"inner":{}}', '/values/0 {"inner":{"id":"0"}}']);
  });

  test("is changed for each call by its middleware, and by its handlers for themselves", async () => {
    const seen: unknown[] = [];
    const { upstream, origin } = await startWhole(express.json(), {
      engine: create(),
      middleware: [(req, res, next) => ((req.body.id = res.locals.placeholders.id), next())],
      handlers: [
        (_outgoing, next, { req }) => {
          const { body } = req as Request;
          seen.push({ ...body });
          body.id = "handler";
          return next();
        },
      ],
    });
    await post(`${origin}/list`, '{"x":1}');
    const bodies = ['{"x":1}', '{"x":1,"id":"0"}', '{"x":1,"id":"1"}'];
    expect(upstream.requests.map(({ body }) => body.toString()).toSorted()).toEqual(bodies.toSorted());
    expect(seen).toEqual([
      { x: 1, id: undefined },
      { x: 1, id: "0" },
      { x: 1, id: "1" },
    ]);
  });

  test("that is long lets requests be served between the calls that copy it", async () => {
    let turns = 0;
    let timer: NodeJS.Immediate | undefined;
    const count = () => {
      turns += 1;
      timer = setImmediate(count);
    };
    const seen: number[] = [];
    const { origin } = await startWhole(express.json(), {
      engine: create(),
      calls: 40,
      middleware: [
        (req, res, next) => {
          if (timer === undefined) count();
          if (res.locals.route.id === "values") seen.push(turns);
          next(req.body.none);
        },
      ],
    });
    const long = JSON.stringify(Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`name${n}`, n])));
    expect(await post(`${origin}/list`, long)).toBe(200);
    clearImmediate(timer);
    // The first is for the judgement of the client.
    expect(new Set(seen).size).toBeGreaterThanOrEqual(40);
  });

  test("that has too many members to be copied for all is refused, and untouched it is not", async () => {
    const list = Object.assign(Array<number>(3 * 1024 * 1024).fill(0), { toJSON: () => [] });
    const parse = express().use(express.json(), (req, _res, next) => {
      req.body = list;
      next();
    });
    const read: RequestHandler = ({ body }, _res, next) => next(body.none);
    // Nobody is above what runs later: an error that reading a property throws there would end the process.
    const readLater: RequestHandler = (req, _res, next) => void setImmediate(() => next(req.body.none));
    const setLater: RequestHandler = (req, _res, next) => void setImmediate(() => next(void (req.body = [...list])));
    for (const [middleware, status] of [
      [read, 413],
      [readLater, 413],
      [setLater, 413],
      [pass, 200],
    ] as const) {
      const { origin } = await startWhole(parse, { engine: create(), calls: 6, middleware: [middleware] });
      expect(await post(`${origin}/list`, "[]")).toBe(status);
    }
  });
});

describe.each(engines)("The bytes of a body that all parts send ($name)", ({ create }) => {
  const keepBytes = express.json({ verify: (req, _res, bytes) => Reflect.set(req, "rawBody", bytes) });
  const raw = express.raw({ type: "*/*" });

  test.each([
    ["that nobody has read", pass],
    ["that a parser has kept", keepBytes],
    ["that a parser has made of them", raw],
    ["that are written anew", express.json()],
  ])("%s are a part's own where its handlers change them", async (_what, before) => {
    const writeInto: DelegatingHandler = (outgoing, next, { route }) => {
      const { body } = outgoing;
      if (route.id === "a" && Buffer.isBuffer(body)) body.write("own", 2);
      return next();
    };
    const { upstream, origin } = await startWhole(before, { engine: create(), handlers: [writeInto] });
    for (let turn = 0; turn < 2; turn += 1) expect(await post(`${origin}/both`, '{"all":1}')).toBe(200);
    expect(received(upstream)).toEqual(['/a {"own":1}', '/a {"own":1}', '/b {"all":1}', '/b {"all":1}']);
  });
});

describe("Copies that are kept for calls of aggregates", () => {
  const list = Array<number>(5 * 1024 * 1024).fill(0);

  test("have room for the bytes that handlers read, until the call is sent", () => {
    const bytes = Buffer.alloc(100 * 1024 * 1024);
    const { bodies, body } = begin();
    for (let call = 0; call < 3; call += 1) {
      expect(body.ownBytes(bytes)).not.toBe(bytes);
      body.sent();
    }
    expect(bodies.refusal()).toBeUndefined();
    for (let call = 0; call < 3; call += 1) body.ownBytes(bytes);
    expect(bodies.refusal()?.message).toContain("Too many copies of long bodies");
    body.end();
    const next = begin();
    next.body.ownBytes(bytes);
    next.body.end();
    expect(next.bodies.refusal()).toBeUndefined();
  });

  const begin = (): Readonly<{ bodies: PartBodies; body: PartBody }> => {
    const bodies = createPartBodies(new IncomingMessage(new Socket()), { kind: "chunked" });
    return { bodies, body: bodies.begin(list) };
  };

  let changes = 0;

  // What there is no room to copy is changed where it is: no two changes are the same.
  function change() {
    const begun = begin();
    changes += 1;
    (begun.body.get() as number[])[0] = changes;
    begun.body.admitted();
    return { ...begun, first: changes };
  }

  test("are refused where all aggregates keep too many, until some are over", () => {
    const kept = Array.from({ length: 6 }, change);
    expect(kept.map(({ bodies }) => bodies.refusal())).toEqual(Array(6).fill(undefined));
    expect(change().bodies.refusal()?.message).toContain("Too many copies of long bodies");
    for (const { body } of kept) body.end();
    for (let n = 0; n < 10; n += 1) {
      const { bodies, body } = change();
      expect(bodies.refusal()).toBeUndefined();
      body.end();
    }
  });

  test("give their room back when what they were for has been sent, though middleware has changed them a little", () => {
    const kept = Array.from({ length: 10 }, () => {
      const begun = change();
      begun.body.sent();
      return begun;
    });
    expect(kept.map(({ bodies }) => bodies.refusal())).toEqual(Array(10).fill(undefined));
    for (const { body, first } of kept) {
      expect((body.get() as number[])[0]).toBe(first);
      body.end();
    }
  });

  const names = Array.from({ length: 500 }, (_, n) => `name${n}`);

  test.each([
    ["set", (body: Record<string, unknown>) => Object.assign(body, { name7: "own", more: 1 })],
    ["removed", (body: Record<string, unknown>) => delete body.name7],
    ["set under a name of JSON's", (body: object) => Object.defineProperty(body, "__proto__", { value: 1 })],
    ["all set", (body: Record<string, unknown>) => names.forEach((name) => (body[name] = "own"))],
  ])("are what middleware has made of them when they are read again: members are %s", (_how, set) => {
    const bodies = createPartBodies(new IncomingMessage(new Socket()), { kind: "chunked" });
    const body = bodies.begin(Object.fromEntries(names.map((name) => [name, name])));
    set(body.get() as Record<string, unknown>);
    const before = Object.getOwnPropertyDescriptors(body.get());
    body.admitted();
    (body.get() as Record<string, unknown>).name9 = "of a handler";
    body.sent();
    expect(Object.getOwnPropertyDescriptors(body.get())).toMatchObject({ ...before, name9: expect.anything() });
    body.end();
  });

  test("have room for short bodies, however many of long ones are kept", () => {
    const kept = Array.from({ length: 7 }, change);
    const bodies = createPartBodies(new IncomingMessage(new Socket()), { kind: "chunked" });
    const short = bodies.begin({ x: 1 });
    expect(Object.assign(short.get() as object, { y: 2 })).toEqual({ x: 1, y: 2 });
    expect([short.toSend().value, bodies.refusal()]).toEqual([{ x: 1, y: 2 }, undefined]);
    for (const { body } of kept) body.end();
  });

  test("are dropped where they have only been read, when what they were for has been sent, and when all is over", () => {
    for (let n = 0; n < 10; n += 1) {
      const { body } = begin();
      body.get();
      body.admitted();
      expect(body.toSend().value).toBe(list);
      (body.get() as number[])[0] = 1;
      body.sent();
      expect(body.toSend().value).toBe(list);
      body.get();
      body.end();
      expect(body.get()).toHaveLength(list.length);
    }
  });
});
