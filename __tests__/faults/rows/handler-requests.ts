import { Readable } from "node:stream";
import { setImmediate as later, setTimeout as wait } from "node:timers/promises";
import { createAnswer, type DelegatingHandler } from "../../../src/index.ts";
import { ok, request } from "../scene.ts";
import type { Wire } from "../wire.ts";
import { answering, arrives, type Check, handled, lacks, large, nothing, post, type Row, wayOut } from "./row.ts";

/** Reads a body in chunks to its end, and answers only then. */
const patient = ({ until, write }: Wire): void => void until("\r\n0\r\n\r\n").then(() => write(ok));

async function* slowly(): AsyncGenerator<string> {
  for (const piece of "slowly") {
    await wait(60);
    yield piece;
  }
}

/** The client's connection carries another request. */
const goesOn: Check = async (_scene, { write, until }) => {
  write(request("GET", "/again"));
  await until("again");
};

const takesAndGivesBack: DelegatingHandler = (outgoing, _next, { req }) => {
  const { body } = outgoing;
  outgoing.body = null;
  outgoing.body = body;
  return Promise.resolve(createAnswer({ status: 200, body: String(req.url) }));
};

/** What delegating handlers do to requests. */
export const handlerRequestRows: readonly Row[] = [
  handled("gives the client's body back, and answers without reading it", takesAndGivesBack, ["/x"], {
    calls: 0,
    send: post,
    more: goesOn,
  }),
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
  ...[undefined, null, "hello", 7, {}, []].map((given) =>
    handled(
      `gives back ${given === undefined ? "nothing" : JSON.stringify(given)}`,
      (() => Promise.resolve(given)) as unknown as DelegatingHandler,
      ["500", "handler-misuse"],
      { calls: 0 },
    ),
  ),
  handled(
    "waits for the answer and does not give it back",
    (async (_outgoing: unknown, next: () => Promise<unknown>) => {
      await next();
    }) as unknown as DelegatingHandler,
    ["500", "handler-misuse"],
    { calls: 1 },
  ),
  handled(
    "is not asynchronous and gives back nothing",
    (() => undefined) as unknown as DelegatingHandler,
    ["500", "handler-misuse"],
    { calls: 0 },
  ),
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
  ...[request("GET", "/x"), post].map((send) =>
    handled(
      `gives ${send.slice(0, 4).trim()} a stream, and the upstream never answers`,
      (outgoing, next) => {
        outgoing.body = Readable.from([Buffer.from("stream")]);
        return next();
      },
      ["504", "answer-timeout"],
      { send, calls: 1, options: { isPlain: true, serveOne: () => undefined, route: { Timeout: 0.1 } } },
    ),
  ),
  handled(
    "gives a stream that takes longer than the upstream may",
    async (outgoing, next) => {
      await later();
      outgoing.body = Readable.from(slowly());
      return next();
    },
    ["200", "ok"],
    { calls: 1, options: { serveOne: patient, route: { Timeout: 0.2, Limits: { Upload: 0.2 } } } },
  ),
  handled(
    "gives a stream that stops",
    (outgoing, next) => {
      const body = new Readable({ read: () => undefined });
      body.push("half");
      outgoing.body = body;
      return next();
    },
    ["500", "handler-misuse"],
    { calls: 1, options: { isPlain: true, serveOne: () => undefined, route: { Limits: { Upload: 0.1 } } } },
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
];
