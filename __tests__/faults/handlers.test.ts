import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { setImmediate as later } from "node:timers/promises";
import { describe, expect, test } from "@jest/globals";
import { createAnswer, type DelegatingHandler, type GatewayHandler, type Responder } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { ok, request, type Scene, type SceneOptions, setScene } from "./scene.ts";
import type { Wire } from "./wire.ts";

type Row = Readonly<{
  name: string;
  options: SceneOptions;
  /** What the client sends; a GET where this is absent. */
  send?: string;
  /** What the answer must hold, in this order, or how it ends. */
  gets: readonly string[] | "cut";
  /** How many requests reach the upstream. */
  calls?: number;
  /** The client goes away after a moment. */
  leaves?: true;
  more?: Check;
}>;

type Check = (scene: Scene, wire: Wire) => Promise<void> | void;

/** Answers every request on every connection. */
const answering =
  (answer = ok) =>
  ({ socket, write }: Wire): void => {
    socket.on("data", (bytes: string) => {
      bytes.match(/\r\n\r\n/g)?.forEach(() => write(answer));
    });
  };

const nothing = undefined as unknown as Error;
const wayOut = "router" as unknown as Error;
const large = "x".repeat(1_000_000);
const post = `${request("POST", "/x", "Content-Length: 2")}ab`;

function handled(name: string, handler: DelegatingHandler, gets: Row["gets"], more: Partial<Row> = {}): Row {
  return {
    name: `handler ${name}`,
    gets,
    ...more,
    options: { serveOne: answering(), ...more.options, gateway: { handlers: [handler] } },
  };
}

const handlerRows: readonly Row[] = [
  handled(
    "throws",
    () => {
      throw new Error("secret");
    },
    ["500", "Internal Server Error"],
    { calls: 0 },
  ),
  handled("rejects", () => Promise.reject(new Error("secret")), ["500"], { calls: 0 }),
  handled("rejects with nothing, which Express takes for no error", () => Promise.reject(nothing), ["500"], {
    calls: 0,
  }),
  handled(
    "throws what Express takes for a way out",
    () => {
      throw wayOut;
    },
    ["500"],
    { calls: 0 },
  ),
  handled(
    "rejects with an error that has a status",
    () => Promise.reject(Object.assign(new Error("Teapot"), { status: 418 })),
    ["418", "Teapot"],
    { calls: 0 },
  ),
  handled(
    "rejects with headers that cannot be sent",
    () =>
      Promise.reject(
        Object.assign(new Error("no"), { status: 400, headers: { "x-a": "a\nb", "x b": "1", "x-c": "1" } }),
      ),
    ["400", "x-c: 1"],
    { calls: 0, options: { isPlain: true } },
  ),
  handled("gives back nothing", (() => Promise.resolve(undefined)) as unknown as DelegatingHandler, ["500"], {
    calls: 0,
  }),
  handled("is not asynchronous and gives back nothing", (() => undefined) as unknown as DelegatingHandler, ["500"], {
    calls: 0,
  }),
  handled(
    "throws after the answer has come",
    async (_outgoing, next) => {
      await next();
      throw new Error("late");
    },
    ["500"],
    { calls: 1 },
  ),
  handled("answers by itself", () => Promise.resolve(createAnswer({ status: 203, body: "mine" })), ["203", "mine"], {
    calls: 0,
  }),
  handled(
    "answers by itself, with an upload that nobody reads",
    () => Promise.resolve(createAnswer({ status: 203, body: "mine" })),
    ["203", "mine"],
    { calls: 0, send: post },
  ),
  handled(
    "drops the upstream's answer",
    async (_outgoing, next) => {
      await next();
      return createAnswer({ status: 200, body: "mine" });
    },
    ["mine"],
    {
      calls: 1,
      options: { serveOne: answering(`HTTP/1.1 200 OK\r\nContent-Length: 10000000\r\n\r\n${large}`) },
      more: async ({ upstream }) => {
        await (
          await upstream.next()
        ).ended;
      },
    },
  ),
  handled(
    "does not wait for the upstream",
    async (_outgoing, next) => {
      void next();
      return createAnswer({ status: 200, body: "mine" });
    },
    ["mine"],
    { options: { serveOne: () => undefined } },
  ),
  handled(
    "asks twice and takes the second answer",
    async (_outgoing, next) => {
      await next();
      return next();
    },
    ["200", "ok"],
    { calls: 2 },
  ),
  handled(
    "asks twice at once",
    async (_outgoing, next) => {
      const [, second] = await Promise.all([next(), next()]);
      return second;
    },
    ["200", "ok"],
    { calls: 2 },
  ),
  handled(
    "asks twice with a streamed body",
    async (_outgoing, next) => {
      await next();
      return next();
    },
    ["500", "handler-misuse"],
    { send: post, options: { isPlain: true } },
  ),
  handled(
    "changes the body to a Buffer",
    (outgoing, next) => {
      outgoing.body = Buffer.from("changed");
      return next();
    },
    ["ok"],
    { send: post, calls: 1, more: arrives("content-length: 7", "\r\n\r\nchanged") },
  ),
  handled(
    "changes the body to a stream",
    (outgoing, next) => {
      outgoing.body = Readable.from([Buffer.from("stream")]);
      return next();
    },
    ["ok"],
    { send: post, calls: 1, more: arrives("transfer-encoding: chunked", "6\r\nstream\r\n0\r\n\r\n") },
  ),
  handled(
    "takes the body away",
    (outgoing, next) => {
      outgoing.body = null;
      return next();
    },
    ["ok"],
    { send: post, calls: 1, more: arrives("content-length: 0") },
  ),
  handled(
    "gives a GET a body",
    (outgoing, next) => {
      outgoing.body = Buffer.from("body");
      return next();
    },
    ["ok"],
    { calls: 1, more: arrives("content-length: 4", "\r\n\r\nbody") },
  ),
  handled(
    "lies about the length",
    (outgoing, next) => {
      outgoing.headers["content-length"] = "1";
      return next();
    },
    ["ok"],
    { send: post, calls: 1, more: arrives("content-length: 2", "\r\n\r\nab") },
  ),
  handled(
    "lies about the length, in capitals",
    (outgoing, next) => {
      outgoing.headers["Content-Length"] = "1";
      outgoing.headers["Transfer-Encoding"] = "chunked";
      return next();
    },
    ["ok"],
    { send: post, calls: 1, more: arrives("content-length: 2", "\r\n\r\nab") },
  ),
  handled(
    "throws all headers away",
    (outgoing, next) => {
      outgoing.headers = {};
      return next();
    },
    ["ok"],
    { send: post, calls: 1, more: arrives("content-length: 2", "\r\n\r\nab") },
  ),
  handled(
    "gives text as a body",
    (outgoing, next) => {
      outgoing.body = "text" as unknown as Buffer;
      return next();
    },
    ["500", "handler-misuse"],
    { calls: 0, options: { isPlain: true } },
  ),
  handled(
    "gives a stream that fails",
    (outgoing, next) => {
      outgoing.body = new Readable({
        read() {
          this.destroy(new Error("source"));
        },
      });
      return next();
    },
    ["500"],
    {},
  ),
  handled(
    "gives a stream that has failed already",
    async (outgoing, next) => {
      const body = new Readable({ read: () => undefined });
      body.on("error", () => undefined).destroy(new Error("source"));
      await later();
      outgoing.body = body;
      return next();
    },
    ["500"],
    {},
  ),
  handled(
    "leads to a dot segment",
    (outgoing, next) => {
      outgoing.path = "/a/../b";
      return next();
    },
    ["400", "path-dot-segment"],
    { calls: 0 },
  ),
  handled(
    "leads to a target with a line break",
    (outgoing, next) => {
      outgoing.path = "/a\r\nX: 1";
      return next();
    },
    ["400", "target-invalid"],
    { calls: 0 },
  ),
  handled(
    "leads to a target without a slash",
    (outgoing, next) => {
      outgoing.path = "a";
      return next();
    },
    ["400", "target-invalid"],
    { calls: 0 },
  ),
  handled(
    "sets a header with a line break",
    (outgoing, next) => {
      outgoing.headers["x-a"] = "a\r\nX-B: 1";
      return next();
    },
    ["500"],
    { calls: 0 },
  ),
  handled(
    "sets a header name with a blank",
    (outgoing, next) => {
      outgoing.headers["x a"] = "1";
      return next();
    },
    ["500"],
    { calls: 0 },
  ),
  handled(
    "sets a method that is none",
    (outgoing, next) => {
      outgoing.method = "GE T";
      return next();
    },
    ["500"],
    { calls: 0 },
  ),
  handled(
    "sets an origin that is none",
    (outgoing, next) => {
      outgoing.origin = "nonsense";
      return next();
    },
    ["500"],
    { calls: 0 },
  ),
  handled(
    "sets hop-by-hop headers",
    (outgoing, next) => {
      Object.assign(outgoing.headers, { te: "trailers", upgrade: "h2c", connection: "close", trailer: "X" });
      return next();
    },
    ["ok"],
    { calls: 1, more: lacks("\r\nte:", "\r\nupgrade:", "close", "\r\ntrailer:") },
  ),
  handled(
    "changes the answer's body to text",
    async (_outgoing, next) => {
      const answer = await next();
      answer.body = "changed";
      return answer;
    },
    ["content-length: 7", "changed"],
    { calls: 1 },
  ),
  handled(
    "changes the answer's body to a stream",
    async (_outgoing, next) => {
      const answer = await next();
      answer.body = Readable.from([Buffer.from("stream")]);
      return answer;
    },
    ["Transfer-Encoding: chunked", "stream"],
    { calls: 1 },
  ),
  handled(
    "changes the answer's body to nothing",
    async (_outgoing, next) => {
      const answer = await next();
      answer.body = null;
      return answer;
    },
    ["content-length: 0"],
    { calls: 1 },
  ),
  handled(
    "changes the answer's body to a stream that fails",
    async (_outgoing, next) => {
      const answer = await next();
      answer.body = new Readable({
        read() {
          this.push("half");
          this.destroy(new Error("source"));
        },
      });
      return answer;
    },
    "cut",
    { calls: 1 },
  ),
  handled(
    "changes the answer's body to a stream that has failed",
    async (_outgoing, next) => {
      const answer = await next();
      const body = new Readable({ read: () => undefined });
      body.on("error", () => undefined).destroy(new Error("source"));
      await later();
      answer.body = body;
      return answer;
    },
    "cut",
    { calls: 1 },
  ),
  handled(
    "reads the answer's body and gives it back empty",
    async (_outgoing, next) => {
      const answer = await next();
      await text(answer.body);
      return answer;
    },
    "cut",
    { calls: 1 },
  ),
  handled(
    "holds an answer while its upstream resets",
    async (_outgoing, next) => {
      const answer = await next();
      await new Promise((resolve) => setTimeout(resolve, 100));
      return answer;
    },
    "cut",
    {
      calls: 1,
      options: {
        serveOne: ({ socket, until, write }) =>
          void until("\r\n\r\n").then(() => {
            write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc");
            setTimeout(() => socket.resetAndDestroy(), 20);
          }),
      },
    },
  ),
  handled(
    "holds an answer that is whole",
    async (_outgoing, next) => {
      const answer = await next();
      await new Promise((resolve) => setTimeout(resolve, 50));
      return answer;
    },
    ["ok"],
    { calls: 1 },
  ),
  handled(
    "sets a status that is none",
    async (_outgoing, next) => {
      const answer = await next();
      answer.status = 42;
      return answer;
    },
    ["502", "upstream-ill-formed"],
    { calls: 1 },
  ),
  handled(
    "sets an answer's header with a line break",
    async (_outgoing, next) => {
      const answer = await next();
      answer.headers["x-a"] = "a\r\nb";
      return answer;
    },
    ["502", "upstream-ill-formed"],
    { calls: 1 },
  ),
  handled(
    "lets a chunked body grow over the limit while it is busy",
    async (_outgoing, next) => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return next();
    },
    ["413", "body-too-large"],
    {
      send: `${request("POST", "/x", "Transfer-Encoding: chunked")}14\r\n${"a".repeat(20)}\r\n0\r\n\r\n`,
      options: { route: { Limits: { Body: 10 } } },
    },
  ),
];

function arrives(...texts: readonly string[]): Check {
  return async ({ upstream }) => {
    const received = (await upstream.next()).received().toLowerCase();
    for (const text of texts) expect(received).toContain(text.toLowerCase());
  };
}

function lacks(...texts: readonly string[]): Check {
  return async ({ upstream }) => {
    const received = (await upstream.next()).received().toLowerCase();
    for (const text of texts) expect(received).not.toContain(text);
  };
}

function answered(name: string, responder: Responder, gets: Row["gets"], more: Partial<Row> = {}): Row {
  return {
    name: `responder ${name}`,
    gets,
    ...more,
    options: { serveOne: answering(), ...more.options, gateway: { responder } },
  };
}

const halfAnswer = ({ until, write, socket }: Wire): void =>
  void until("\r\n\r\n").then(() => {
    write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc");
    setTimeout(() => socket.destroy(), 20);
  });

const responderRows: readonly Row[] = [
  answered(
    "throws",
    () => {
      throw new Error("no");
    },
    ["500"],
    { calls: 1 },
  ),
  answered("rejects", () => Promise.reject(new Error("no")), ["500"], { calls: 1 }),
  answered(
    "throws after the head",
    (_upstream, { res }) => {
      res.writeHead(200);
      res.write("half");
      throw new Error("no");
    },
    "cut",
  ),
  answered(
    "throws while the answer is written",
    (_upstream, _context, respond) => {
      void respond();
      throw new Error("no");
    },
    "cut",
  ),
  answered(
    "throws after the answer was written",
    async (_upstream, _context, respond) => {
      await respond();
      throw new Error("no");
    },
    ["ok"],
  ),
  answered(
    "does not wait for an answer that is cut",
    (_upstream, _context, respond) => {
      void respond();
    },
    "cut",
    { options: { serveOne: halfAnswer } },
  ),
  answered("waits for an answer that is cut", (_upstream, _context, respond) => respond(), "cut", {
    options: { serveOne: halfAnswer },
  }),
  answered(
    "responds later",
    (_upstream, _context, respond) => {
      setTimeout(() => void respond(), 30);
    },
    ["ok"],
  ),
  answered(
    "answers by itself",
    (_upstream, { res }) => {
      res.end("mine");
    },
    ["mine"],
    { calls: 1 },
  ),
  answered(
    "changes the body",
    (upstream, _context, respond) => {
      upstream.body = "changed";
      return respond();
    },
    ["content-length: 7", "changed"],
  ),
  answered(
    "is told of a match and throws",
    Object.assign(((_u, _c, respond) => respond()) as Responder, {
      matched: () => {
        throw new Error("no");
      },
    }),
    ["500"],
    { calls: 0 },
  ),
];

function passed(name: string, middleware: readonly GatewayHandler[], gets: Row["gets"], more: Partial<Row> = {}): Row {
  return {
    name: `middleware ${name}`,
    gets,
    ...more,
    options: { serveOne: answering(), ...more.options, gateway: { middleware } },
  };
}

const middlewareRows: readonly Row[] = [
  passed(
    "throws",
    [
      () => {
        throw new Error("no");
      },
    ],
    ["500"],
    { calls: 0 },
  ),
  passed("rejects", [() => Promise.reject(new Error("no"))], ["500"], { calls: 0 }),
  passed(
    "throws on a plain server",
    [
      () => {
        throw new Error("no");
      },
    ],
    ["500"],
    { calls: 0, options: { isPlain: true } },
  ),
  passed(
    "throws with a body that does not come",
    [
      () => {
        throw new Error("no");
      },
    ],
    ["500", "onnection: close"],
    { calls: 0, send: request("POST", "/x", "Content-Length: 5") },
  ),
  passed(
    "throws after it has gone on",
    [
      async (_req, _res, next) => {
        next();
        await later();
        throw new Error("no");
      },
    ],
    ["500"],
    { options: { serveOne: () => undefined } },
  ),
  passed(
    "throws after the head",
    [
      (_req, res) => {
        res.writeHead(200);
        res.write("half");
        throw new Error("no");
      },
    ],
    "cut",
    { calls: 0 },
  ),
  passed(
    "calls next() twice",
    [
      (_req, _res, next) => {
        next();
        next();
      },
    ],
    ["ok"],
    { calls: 1 },
  ),
  passed(
    "calls next() again, later",
    [
      async (_req, _res, next) => {
        next();
        await later();
        next();
      },
    ],
    ["ok"],
    { calls: 1 },
  ),
  passed('leaves by next("router")', [(_req, _res, next) => next("router")], ["404"], { calls: 0 }),
  passed('leaves by next("router") on a plain server', [(_req, _res, next) => next("router")], ["404", "no-route"], {
    calls: 0,
    options: { isPlain: true },
  }),
  passed(
    "fails by next(error)",
    [(_req, _res, next) => next(Object.assign(new Error("Locked"), { status: 423 }))],
    ["423", "Locked"],
    { calls: 0 },
  ),
  passed("answers by itself", [(_req, res) => void res.status(403).end("mine")], ["403", "mine"], { calls: 0 }),
  passed(
    "answers and goes on all the same",
    [
      (_req, res, next) => {
        res.end("mine");
        next();
      },
    ],
    ["mine"],
    {},
  ),
  passed(
    "sets a header in capitals",
    [
      (req, _res, next) => {
        req.headers["X-User"] = "alice";
        next();
      },
    ],
    ["ok"],
    { send: request("GET", "/x", "X-User: mallory"), calls: 1, more: arrives("x-user: alice") },
  ),
  passed(
    "sets framing headers",
    [
      (req, _res, next) => {
        Object.assign(req.headers, { "Content-Length": "1", "Transfer-Encoding": "chunked", Connection: "close" });
        next();
      },
    ],
    ["ok"],
    { send: post, calls: 1, more: arrives("content-length: 2", "\r\n\r\nab") },
  ),
  passed(
    "sets a header that cannot be sent",
    [
      (req, _res, next) => {
        req.headers["x-a"] = "a\nb";
        next();
      },
    ],
    ["500"],
    { calls: 0 },
  ),
  passed(
    "rewrites req.url, which changes nothing",
    [
      (req, _res, next) => {
        req.url = "/../evil";
        next();
      },
    ],
    ["ok"],
    { calls: 1, more: arrives("GET /x HTTP/1.1") },
  ),
  passed(
    "changes a placeholder to a dot segment",
    [
      (_req, res, next) => {
        res.locals.placeholders.everything = "../evil";
        next();
      },
    ],
    ["400"],
    { calls: 0 },
  ),
  passed(
    "changes a placeholder to something with a slash",
    [
      (_req, res, next) => {
        res.locals.placeholders.everything = "a/b?c#d\r\n";
        next();
      },
    ],
    ["ok"],
    { calls: 1, more: arrives("GET /a%2Fb%3Fc%23d%0D%0A HTTP/1.1") },
  ),
  passed(
    "destroys the response",
    [
      (_req, res) => {
        res.destroy();
      },
    ],
    "cut",
    { calls: 0 },
  ),
  passed(
    "takes long, and the client has left meanwhile",
    [
      (_req, _res, next) => {
        setTimeout(next, 100);
      },
    ],
    "cut",
    { calls: 0, leaves: true },
  ),
];

const rows: readonly Row[] = [...handlerRows, ...responderRows, ...middlewareRows];

describe.each(engines)("$name", ({ create }) => {
  test.each(rows)("$name", async ({ options, send = request("GET", "/x"), gets, calls, more, leaves }) => {
    const scene = await setScene(create(), options);
    const wire = scene.client();
    wire.write(send);
    if (leaves) await new Promise((resolve) => setTimeout(resolve, 20)).then(() => wire.socket.destroy());
    if (gets === "cut") {
      await wire.ended;
      expect(wire.received()).not.toMatch(/\r\n0\r\n\r\n$/);
    } else {
      for (const text of gets) await wire.until(text);
    }
    await more?.(scene, wire);
    if (calls !== undefined) expect(countRequests(scene)).toBe(calls);
    await scene.leave();
  });
});

function countRequests({ upstream }: Scene): number {
  return (
    upstream
      .allReceived()
      .join("")
      .match(/ HTTP\/1\.1\r\n/g)?.length ?? 0
  );
}
