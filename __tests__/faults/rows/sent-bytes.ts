import { once } from "node:events";
import { PassThrough, type Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { setImmediate as later } from "node:timers/promises";
import { expect } from "@jest/globals";
import type { DelegatingHandler, GatewayHandler, OutgoingRequest } from "../../../src/index.ts";
import { ok, request, type SceneOptions } from "../scene.ts";
import type { Wire } from "../wire.ts";
import { answering, arrives, type Check, handled, large, type Row } from "./row.ts";

const smuggled = "GET /admin HTTP/1.1\r\nHost: internal\r\n\r\n";
// None of it is UTF-8: read as such, each byte becomes three, and what stands behind them is behind the length.
const growing = Buffer.concat([Buffer.alloc(20, 0xff), Buffer.from(smuggled)]);
const long = "x".repeat(40_000);

/** An upload of known length; of two packets if it is to be a long one. */
function upload(body: string | Buffer, ...headers: readonly string[]): Buffer {
  const bytes = Buffer.from(body as string);
  return Buffer.concat([
    Buffer.from(request("POST", "/x", `Content-Length: ${bytes.length}`, "Connection: close", ...headers)),
    bytes,
  ]);
}

const inChunks = (body: string): string =>
  `${request("POST", "/x", "Transfer-Encoding: chunked", "Connection: close")}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

const silent = (): void => undefined;
const smugglesNothing: Check = ({ upstream }) => expect(upstream.allReceived().join("")).not.toContain("GET /admin");

/** By middleware of the gateway, and by middleware that stands before it. */
function by(name: string, middleware: GatewayHandler, row: Omit<Row, "name" | "options">): Row[] {
  const passes = row.gets.includes("ok");
  const serveOne = passes ? answering() : silent;
  return [
    {
      name: `middleware ${name}`,
      ...row,
      options: { serveOne, isPlain: true, gateway: { middleware: [middleware] } },
    },
    { name: `middleware before the gateway ${name}`, ...row, options: { serveOne, before: [middleware] } },
  ].filter(({ options }) => passes || !("before" in options));
}

const decodes =
  (encoding: BufferEncoding): GatewayHandler =>
  (req, _res, next) => {
    req.setEncoding(encoding);
    next();
  };

const refused = (name: string, act: (body: Readable) => unknown, body: string | Buffer, code: string): Row =>
  handled(
    name,
    async (outgoing, next) => {
      await act(outgoing.body as Readable);
      return next();
    },
    ["500", code],
    { send: upload(body), options: { isPlain: true, serveOne: silent }, more: smugglesNothing },
  );

const tees = (name: string, send: Buffer | string, options: SceneOptions = {}): Row[] =>
  [false, true].map((waits) =>
    handled(
      `sends ${name} elsewhere, too${waits ? ", and waits" : ""}`,
      async (outgoing, next) => {
        (outgoing.body as Readable).pipe(new PassThrough()).resume();
        if (waits) await later();
        return next();
      },
      ["500", "body-consumed"],
      { send, options: { isPlain: true, serveOne: silent, ...options }, calls: 0 },
    ),
  );

const lastChunk = "0\r\n\r\n";
const endsNothing: Check = ({ upstream }) => expect(upstream.allReceived().join("")).not.toContain(lastChunk);

/** Answers a request whose chunks seem to be whole. */
function answerWhole({ socket, write }: Wire): void {
  socket.on("data", (bytes: string) => {
    if (bytes.endsWith(lastChunk)) write(ok);
  });
}

const consumed = ["500", "body-consumed"];

/** Ways to read a body that is on its way already, while the connection for it is still being made. */
const readings: readonly [name: string, read: (body: Readable) => unknown][] = [
  ["pipes it elsewhere", (body) => body.pipe(new PassThrough()).resume()],
  ["reads it to its end", (body) => buffer(body).catch(silent)],
  ["takes what is there", (body) => body.once("readable", () => void body.read())],
];

/** Programs that call `next()` and then read what is being sent: the body, or the request whose body it is. */
const readsLater = (body: string, send: Buffer | string, gets: Row["gets"], options: SceneOptions = {}): Row[] =>
  readings.map(([name, read]) =>
    handled(
      `sends ${body}, and ${name}`,
      (outgoing, next) => {
        const answer = next();
        void read(outgoing.body as Readable);
        return answer;
      },
      gets,
      { send, options: { isPlain: true, serveOne: answerWhole, ...options }, more: endsNothing },
    ),
  );

const middlewareReadsLater: readonly Row[] = readings.map(([name, read]) => ({
  name: `middleware goes on with a body in chunks, and ${name}`,
  send: inChunks(large),
  gets: ["500", "body-consumed"],
  options: {
    isPlain: true,
    serveOne: answerWhole,
    gateway: {
      middleware: [
        (req, _res, next) => {
          next();
          void read(req);
        },
      ],
    },
  },
  more: endsNothing,
}));

/** A handler that does not wait, and changes the request that is on its way. */
const changesLater = (
  name: string,
  change: (outgoing: OutgoingRequest) => void,
  gets: Row["gets"],
  more: Partial<Row>,
): Row =>
  handled(
    `goes on to change ${name}`,
    (outgoing, next) => {
      const answer = next();
      change(outgoing);
      return answer;
    },
    gets,
    more,
  );

const asksBy =
  (first: string, then: string): DelegatingHandler =>
  (outgoing, next) => {
    outgoing.method = first;
    const answer = next();
    outgoing.method = then;
    return answer;
  };

/** What is sent is what its head tells, whoever touches the body, the length or the request on the way. */
export const sentBytesRows: readonly Row[] = [
  ...by("decodes a body that is not read, which is text", decodes("utf8"), {
    send: upload("h\u00e4llo"),
    gets: ["ok"],
    more: arrives("content-length: 6", "\r\n\r\nh\u00c3\u00a4llo"),
  }),
  ...by("decodes a long body that is not read", decodes("utf8"), {
    send: upload(long),
    gets: ["ok"],
    more: async ({ upstream }) => (await upstream.next()).until(`content-length: 40000\r\n`),
  }),
  ...by("decodes a body as hexadecimal digits", decodes("hex"), {
    send: upload("abcdefgh"),
    gets: ["ok"],
    more: arrives("content-length: 8", "\r\n\r\nabcdefgh"),
  }),
  ...by("decodes a body that is no text", decodes("utf8"), {
    send: upload(growing),
    gets: ["500", "handler-misuse"],
    more: smugglesNothing,
  }),
  ...by("decodes a body as less than it is", decodes("ascii"), {
    send: upload(growing),
    gets: ["500", "handler-misuse"],
    more: smugglesNothing,
  }),
  {
    name: "middleware decodes a body in chunks, whose length is limited",
    send: inChunks(long),
    gets: ["413", "body-too-large"],
    options: {
      serveOne: silent,
      isPlain: true,
      route: { Limits: { Body: 10_000 } },
      gateway: { middleware: [decodes("utf8")] },
    },
  },
  ...(["3", "99", undefined] as const).flatMap((length) =>
    by(
      length === undefined ? "deletes the length" : `sets the length to ${length}`,
      (req, _res, next) => {
        if (length === undefined) delete req.headers["content-length"];
        else req.headers["content-length"] = length;
        next();
      },
      {
        send: upload(`abc${smuggled}`),
        gets: ["ok"],
        more: arrives(`content-length: ${3 + smuggled.length}\r\n`, `\r\n\r\nabc${smuggled}`),
      },
    ),
  ),
  ...by(
    "sets the length of a request that has none",
    (req, _res, next) => ((req.headers["content-length"] = "31"), next()),
    {
      send: request("GET", "/x", "Connection: close"),
      gets: ["ok"],
      more: ({ upstream }) => expect(upstream.allReceived().join("")).not.toContain("content-length"),
    },
  ),
  refused("decodes the body that it sends", (body) => body.setEncoding("utf8"), growing, "handler-misuse"),
  refused(
    "takes some bytes of the body that it sends",
    async (body) => {
      body.read(0);
      await later();
      body.read(5);
    },
    "12345xxxxxxxxxx",
    "handler-misuse",
  ),
  refused(
    "puts bytes before the body that it sends",
    (body) => body.unshift("0123456789"),
    `A${smuggled}`,
    "handler-misuse",
  ),
  refused(
    "puts bytes before a long body that it sends",
    (body) => body.unshift("0123456789"),
    long + smuggled,
    "handler-misuse",
  ),
  ...tees("a short body", upload("ab")),
  ...tees("a long body", upload(long)),
  ...tees("a body in chunks", inChunks(long)),
  ...tees("a body in chunks, whose length is limited", inChunks(long), { route: { Limits: { Body: 1_000_000 } } }),
  ...readsLater("a body of known length", upload(long), ["500"]),
  ...readsLater("a body in chunks", inChunks(large), consumed),
  ...readsLater("a body in chunks whose length is limited", inChunks(large), consumed, {
    route: { Limits: { Body: 10_000_000 } },
  }),
  ...readsLater("a body in chunks that middleware decodes", inChunks(large), consumed, {
    before: [decodes("utf8")],
    isPlain: false,
  }),
  ...middlewareReadsLater,
  handled(
    "looks at the first bytes of a body in chunks, and gives them back",
    async (outgoing, next) => {
      const body = outgoing.body as Readable;
      await once(body, "readable");
      body.unshift(body.read());
      return next();
    },
    ["ok"],
    { send: inChunks("abcdef"), options: { serveOne: answerWhole }, more: arrives("abcdef\r\n0\r\n\r\n") },
  ),
  handled(
    "sends a stream of its own, and pipes it elsewhere",
    (outgoing, next) => {
      const body = new PassThrough();
      body.write("the beginning");
      outgoing.body = body;
      const answer = next();
      body.pipe(new PassThrough()).resume();
      setTimeout(() => body.end("the end"), 50);
      return answer;
    },
    ["500", "handler-misuse"],
    { options: { isPlain: true, serveOne: answerWhole }, more: endsNothing },
  ),
  handled(
    "sends a stream of its own that somebody else reads",
    async (outgoing, next) => {
      const body = new PassThrough();
      body.end(large);
      body.pipe(new PassThrough()).resume();
      outgoing.body = body;
      return next();
    },
    ["500", "handler-misuse"],
    { calls: 0, options: { isPlain: true } },
  ),
  handled("asks by HEAD and then says GET", asksBy("HEAD", "GET"), ["200", "content-length: 0"], {
    options: { serveOne: answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n") },
    send: request("GET", "/x") + request("GET", "/x", "Connection: close"),
    more: async ({ upstream }, { ended, received }) => {
      await ended;
      expect(upstream.allReceived().join("")).not.toContain("GET");
      // Of what was asked by HEAD there is no body.
      expect(received().match(/content-length: 0\r\n/g)).toHaveLength(2);
    },
  }),
  handled("asks by GET and then says HEAD", asksBy("GET", "HEAD"), ["content-length: 2", "\r\n\r\nok"], {
    more: arrives("GET /x"),
  }),
  ...["head", "Head"].map((method) =>
    handled(
      `asks by ${method}`,
      (outgoing, next) => {
        outgoing.method = method;
        return next();
      },
      ["200"],
      {
        options: { serveOne: answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n") },
        more: ({ upstream }) => expect(upstream.allReceived().join("")).toMatch(/^HEAD /),
      },
    ),
  ),
  ...[undefined, "", 5, "GET / HTTP/1.1\r\nX: y\r\n\r\nGET"].map((method) =>
    handled(
      `asks by ${JSON.stringify(method)}`,
      (outgoing, next) => {
        outgoing.method = method as string;
        return next();
      },
      ["500", "handler-misuse"],
      { calls: 0, options: { isPlain: true } },
    ),
  ),
  changesLater("the length of a Buffer", ({ headers }) => void (headers["content-length"] = "3"), ["ok"], {
    send: upload("abcdef"),
    more: arrives("content-length: 6\r\n", "\r\n\r\nabcdef"),
  }),
  handled(
    "sets a Buffer, and goes on to change its length",
    (outgoing, next) => {
      outgoing.body = Buffer.from(`abc${smuggled}`);
      const answer = next();
      outgoing.headers["content-length"] = "3";
      return answer;
    },
    ["ok"],
    { send: upload("ab"), more: arrives(`content-length: ${3 + smuggled.length}\r\n`) },
  ),
  ...(
    [
      ["the path, behind a refusal", (outgoing) => void (outgoing.path = "/a/../admin")],
      ["the method, behind a refusal", (outgoing) => void (outgoing.method = "HEAD")],
      ["the length, behind a refusal", ({ headers }) => void (headers["content-length"] = "31")],
      ["the coding, behind a refusal", ({ headers }) => void (headers["transfer-encoding"] = "chunked")],
      ["the host, behind a refusal", ({ headers }) => void (headers.host = "evil")],
      ["a list, behind a refusal", ({ headers }) => void (headers["x-list"] as string[]).push("evil")],
    ] satisfies [string, (outgoing: OutgoingRequest) => void][]
  ).map(([name, change]) =>
    changesLater(name, change, ["200", "ok"], {
      options: { serveOne: answering(), isBehindRefusal: true, before: [addList] },
      more: ({ upstream }) => {
        const received = upstream.allReceived().join("");
        expect(received).toMatch(/^GET \/x HTTP\/1\.1\r\n/);
        for (const changed of ["admin", "content-length", "chunked", "evil"]) expect(received).not.toContain(changed);
      },
    }),
  ),
];

function addList(req: { headers: Record<string, unknown> }, _res: unknown, next: () => void): void {
  req.headers["x-list"] = ["a", "b"];
  next();
}
