import type { IncomingMessage, ServerResponse } from "node:http";
import { readAll } from "./read-all.ts";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import compression from "compression";
import express from "express";
import session from "express-session";
import { createGateway, type GatewayHandler, parseConfig, problemDetails } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { type RunningGateway, serve } from "../helpers/start-gateway.ts";
import { watchProcess } from "../helpers/watch-process.ts";
import { readMessages } from "./read-messages.ts";
import { sentinelTarget, startStrictUpstream, type StrictUpstream } from "./strict-upstream.ts";

/** What the upstream answers; to the last one it does not. */
const answers = {
  length: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
  chunks: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n",
  unchanged: 'HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\nETag: "a"\r\n\r\n',
  nothing: undefined,
} as const;

type Kind = keyof typeof answers;

/** What the client gets: a whole answer with this status and body, or "cut": the connection ends before another answer. */
type Row = Readonly<
  { name: string; spoil: (res: ServerResponse, req: IncomingMessage) => void } & Record<Kind, string>
>;

const whole = { length: "200 hello", chunks: "200 hello", unchanged: "304 ", nothing: "502 problem" };
const cut = { length: "cut", chunks: "cut", unchanged: "304 ", nothing: "cut" };

/** Listens for the head as on-headers does, by which compression, morgan and express-session do. */
function onHead(act: (res: ServerResponse) => void): Row["spoil"] {
  return (res) => {
    const writeHead = Reflect.get<ServerResponse, "writeHead">(res, "writeHead");
    let isFirst = true;
    res.writeHead = function listenToHead(status: number, ...rest: unknown[]) {
      const headers = rest.at(-1);
      if (typeof headers === "object") res.setHeaders(new Map(Object.entries(headers as Record<string, string>)));
      res.statusCode = status;
      const acts = isFirst;
      isFirst = false;
      if (acts) act(res);
      return Reflect.apply(writeHead, res, [res.statusCode]);
    };
  };
}

/** Changes the last piece by a function of its own before Node's, as pages get a script. */
function changeEnd(change: (piece: string) => string): Row["spoil"] {
  return (res) => {
    const end = Reflect.get<ServerResponse, "end">(res, "end");
    res.end = (piece: unknown = "") => Reflect.apply(end, res, [change(String(piece))]) as ServerResponse;
  };
}

function dropPieces(res: ServerResponse): void {
  const end = Reflect.get<ServerResponse, "end">(res, "end");
  res.write = () => true;
  res.end = () => Reflect.apply(end, res, []);
}

/** Keeps the head back until the last piece, as what changes bodies does, and puts another body behind it. */
function keepHead(change: (body: string) => string): Row["spoil"] {
  return (res) => {
    const writeHead = Reflect.get<ServerResponse, "writeHead">(res, "writeHead");
    const end = Reflect.get<ServerResponse, "end">(res, "end");
    let head: unknown[] = [];
    let body = "";
    res.writeHead = (...parts: unknown[]) => {
      head = parts;
      return res;
    };
    res.write = (piece: unknown) => {
      body += String(piece);
      return true;
    };
    res.end = (piece: unknown = "") => {
      Reflect.apply(writeHead, res, head);
      return Reflect.apply(end, res, [change(body + String(piece))]) as ServerResponse;
    };
  };
}

const sets = (name: string, value: string | string[]) => onHead((res) => res.setHeader(name, value));
const becomes = (status: number) => onHead((res) => (res.statusCode = status));

const rows: readonly Row[] = [
  { name: "sets a longer length", spoil: sets("Content-Length", "99"), ...cut },
  { name: "sets a shorter length", spoil: sets("Content-Length", "2"), ...cut },
  { name: "sets the right length", spoil: sets("Content-Length", "5"), ...cut, length: "200 hello" },
  { name: "sets two lengths", spoil: sets("Content-Length", ["5", "5"]), ...cut },
  { name: "sets a length that is none", spoil: sets("Content-Length", "5, 5"), ...cut },
  { name: "sets a coding", spoil: sets("Transfer-Encoding", "gzip"), ...cut },
  {
    name: "sets a coding before the chunks",
    spoil: sets("Transfer-Encoding", "gzip, chunked"),
    ...cut,
    unchanged: "cut",
  },
  { name: "removes the length", spoil: onHead((res) => res.removeHeader("Content-Length")), ...whole },
  {
    name: "makes a 204 of it",
    spoil: becomes(204),
    ...cut,
    chunks: "204 ",
    unchanged: "cut",
  },
  {
    name: "makes a 204 of it, without a length",
    spoil: onHead((res) => {
      res.statusCode = 204;
      res.removeHeader("Content-Length");
    }),
    length: "204 ",
    chunks: "204 ",
    unchanged: "204 ",
    nothing: "204 ",
  },
  { name: "makes a 200 of it", spoil: becomes(200), ...whole, unchanged: "cut", nothing: "200 problem" },
  {
    name: "makes an interim answer of it",
    spoil: becomes(102),
    length: "cut",
    chunks: "cut",
    unchanged: "cut",
    nothing: "cut",
  },
  {
    name: "announces trailers",
    spoil: sets("Trailer", "X-T"),
    ...whole,
    length: "502 problem",
    unchanged: "502 problem",
  },
  {
    name: "changes the length that it is told",
    spoil: (res) => {
      res.setHeader("x-set", "before");
      const setHeader = Reflect.get<ServerResponse, "setHeader">(res, "setHeader");
      res.setHeader = (name, value) => Reflect.apply(setHeader, res, [name, /length/i.test(name) ? "99" : value]);
    },
    ...whole,
    length: "cut",
    nothing: "cut",
  },
  { name: "writes as the head is written", spoil: onHead((res) => res.write("mine")), ...cut, unchanged: "cut" },
  { name: "answers as the head is written", spoil: onHead((res) => res.end("mine")), ...cut, unchanged: "cut" },
  {
    name: "throws at each head",
    spoil: (res) => {
      res.writeHead = () => {
        throw new Error("no head");
      };
    },
    length: "502 problem",
    chunks: "502 problem",
    unchanged: "502 problem",
    nothing: "502 problem",
  },
  {
    name: "throws behind the head",
    spoil: (res) => {
      const writeHead = Reflect.get<ServerResponse, "writeHead">(res, "writeHead");
      res.writeHead = (...head: unknown[]) => {
        Reflect.apply(writeHead, res, head);
        throw new Error("too late");
      };
    },
    length: "cut",
    chunks: "cut",
    unchanged: "cut",
    nothing: "502 problem",
  },
  {
    name: "puts something into bodies, whose length it leaves",
    spoil: changeEnd((piece) => `${piece}<i>`),
    ...whole,
    length: "cut",
    chunks: "200 hello<i>",
    nothing: "cut",
  },
  {
    name: "takes bodies away, whose length it leaves",
    spoil: dropPieces,
    ...whole,
    length: "cut",
    chunks: "200 ",
    nothing: "cut",
  },
  {
    name: "keeps the head back and makes bodies longer, whose length it leaves",
    spoil: keepHead((body) => `${body}<i>`),
    ...whole,
    length: "cut",
    chunks: "200 hello<i>",
    nothing: "cut",
  },
  {
    name: "keeps the head back and makes bodies shorter, whose length it leaves",
    spoil: keepHead((body) => body.slice(0, 3)),
    ...whole,
    length: "cut",
    chunks: "200 hel",
    nothing: "cut",
  },
  { name: "keeps the head back and leaves bodies as they are", spoil: keepHead((body) => body), ...whole },
  {
    name: "compresses",
    spoil: (res, req) => compression({ threshold: 0 })(req as never, res as never, () => undefined),
    ...whole,
  },
  {
    name: "saves a session",
    spoil: (res, req) =>
      session({ secret: "s", resave: true, saveUninitialized: true })(req as never, res as never, () => undefined),
    ...whole,
  },
];

const places = ["before the gateway, in Express", "of the gateway, on a plain server"] as const;

describe.each(engines)("$name: the next answer is read where it begins, though", ({ create }) => {
  const disturbances = watchProcess();
  let upstream: StrictUpstream;

  beforeAll(async () => {
    upstream = await startStrictUpstream();
    upstream.answerWith((socket, { line }) => {
      const answer = answers[line.split(/[/ ]/)[2] as Kind];
      if (answer === undefined) socket.destroy();
      else socket.write(answer);
    });
  });
  afterAll(async () => {
    await upstream.close();
    disturbances.stop();
  });
  afterEach(() => expect(disturbances.take()).toEqual([]));

  describe.each(places)("middleware %s", (place) => {
    let running: RunningGateway;
    beforeAll(async () => (running = await start(upstream.port, place === places[0], create)));
    afterAll(() => running.close());

    test.each(rows)("$name", async (row) => {
      const kinds = Object.keys(answers) as Kind[];
      const got = await Promise.all(kinds.map((kind) => ask(running.port, kind, rows.indexOf(row))));
      expect(Object.fromEntries(kinds.map((kind, index) => [kind, got[index]]))).toEqual(
        Object.fromEntries(kinds.map((kind) => [kind, row[kind]])),
      );
    });
  });
});

/** Asks with the sentinel right behind, and reads strictly. */
async function ask(port: number, kind: Kind, row: number): Promise<string> {
  const first = `GET /${kind} HTTP/1.1\r\nHost: gw\r\nX-Spoil: ${row}\r\n\r\n`;
  const bytes = await readAll(port, `${first}GET ${sentinelTarget} HTTP/1.1\r\nHost: gw\r\nConnection: close\r\n\r\n`);
  const { messages, rest, isBroken } = readMessages(bytes, ({ line }) => (/ [23]04 /.test(line) ? "none" : "framed"));
  const [answer, next, ...others] = messages;
  if (!isBroken && answer !== undefined && next?.body === `GET ${sentinelTarget}` && rest === "" && others.length === 0)
    return `${answer.line.split(" ")[1]} ${answer.body.startsWith("{") ? "problem" : answer.body}`;
  return bytes.includes("sentinel") || next !== undefined ? `misread: ${bytes}` : "cut";
}

function start(port: number, isExpress: boolean, create: (typeof engines)[number]["create"]): Promise<RunningGateway> {
  const route = { DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: port }] };
  const config = { Routes: [{ UpstreamPathTemplate: "/{all}", DownstreamPathTemplate: "/{all}", ...route }] };
  const spoil: GatewayHandler = (req, res, next) => {
    rows[Number(req.headers["x-spoil"])]?.spoil(res, req);
    next();
  };
  const options = { engine: create(), logger: false } as const;
  const gateway = createGateway(parseConfig(config, { logger: false }), {
    ...options,
    middleware: isExpress ? [] : [spoil],
  });
  const app = express()
    .use(spoil as express.RequestHandler)
    .use(gateway)
    .use(problemDetails({ logger: false }));
  return serve(isExpress ? app : gateway, gateway);
}
