import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "@jest/globals";
import express, { type Request, type RequestHandler } from "express";
import { createPartBodies } from "../../src/bodies/parsed/body-of-part.ts";
import { type DelegatingHandler } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { type Upstream } from "../helpers/start-upstream.ts";
import { json, pass, post, startWhole } from "./start-posted-whole.ts";

const form = "application/x-www-form-urlencoded";

function received({ requests }: Upstream) {
  return requests.map(({ target, body }) => `${target} ${body.toString()}`).toSorted();
}

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

describe.each(engines)("A body whose encoding is set ($name)", ({ create }) => {
  const short = '{"a":"é€😀"}';
  const set =
    (encoding: BufferEncoding): RequestHandler =>
    (req, _res, next) => {
      req.setEncoding(encoding);
      next();
    };

  describe.each<BufferEncoding>(["utf8", "latin1", "hex", "base64"])("to %s", (encoding) => {
    test.each([
      { where: "before the gateway", before: set(encoding), middleware: [] },
      { where: "by its middleware", before: pass, middleware: [set(encoding)] },
      {
        where: "of a body as long as it may be",
        sent: "x".repeat(1_048_576),
        before: pass,
        middleware: [set(encoding)],
      },
      { where: "at both places", before: set(encoding), middleware: [set(encoding)] },
    ])("$where goes to all parts byte for byte", async ({ sent = short, before, middleware }) => {
      const { upstream, origin } = await startWhole(before, { engine: create(), middleware });
      expect(await post(`${origin}/both`, sent)).toBe(200);
      expect(received(upstream)).toEqual([`/a ${sent}`, `/b ${sent}`]);
    });
  });

  test.each([
    { what: "is text that does not tell its bytes", layers: [set("utf16le")], status: 500 },
    { what: "has lost bytes in a second encoding", layers: [set("base64"), set("hex")], status: 500 },
    { what: "is longer than it may be, by its bytes", layers: [set("hex")], of: 1_048_577, status: 413 },
  ])("is sent to no part where it $what", async ({ layers, of = 17, status }) => {
    const { upstream, origin } = await startWhole(pass, { engine: create(), middleware: layers });
    expect(await post(`${origin}/both`, "x".repeat(of))).toBe(status);
    expect(upstream.requests).toEqual([]);
  });
});

describe("Copies that are kept for calls of aggregates", () => {
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
});
