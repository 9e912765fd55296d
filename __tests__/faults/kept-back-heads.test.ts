import { PassThrough, Readable } from "node:stream";
import { describe, expect, test } from "@jest/globals";
import type { DelegatingHandler, GatewayHandler, Responder } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { takingTurns } from "../fuzz/bounds.ts";
import { answering } from "./rows/row.ts";
import { request, type SceneOptions, setScene } from "./scene.ts";
import type { Wire } from "./wire.ts";

type Response = Parameters<GatewayHandler>[1];
type Parts = readonly unknown[];

/** Collects a body, and writes head and body together once it has all; tells as "kept" of each piece. */
function keepsBack(keepHead: (res: Response, head: Parts) => void, flush: (send: () => void) => void): GatewayHandler {
  return (_req, res, next) => {
    const { writeHead, end } = res as unknown as Record<"writeHead" | "end", (...parts: unknown[]) => Response>;
    const pieces: Buffer[] = [];
    let head: Parts | undefined;
    const keep = (piece: unknown): void => {
      if (typeof piece === "string" || Buffer.isBuffer(piece)) pieces.push(Buffer.from(piece as string));
      res.emit("kept");
    };
    Object.assign(res, {
      writeHead(...parts: unknown[]) {
        head ??= parts;
        keepHead(res, parts);
        return res;
      },
      write(piece: unknown) {
        keep(piece);
        return true;
      },
      end(piece: unknown) {
        keep(piece);
        flush(() => {
          const whole = Buffer.concat(pieces);
          res.setHeader("content-length", whole.length);
          Reflect.apply(writeHead, res, [head?.[0] ?? res.statusCode]);
          Reflect.apply(end, res, [whole]);
        });
        return res;
      },
    });
    next();
  };
}

/** The ways in which middleware keeps an answer back. */
const keepers = {
  "its first head": keepsBack(
    () => undefined,
    (send) => send(),
  ),
  "the status of its last head": keepsBack(
    (res, [status]) => (res.statusCode = Number(status)),
    (send) => send(),
  ),
  "its head, and writes it later": keepsBack(() => undefined, setImmediate),
};

const half = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf of it";
const head = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n";
// What is longer than an aggregate keeps of a part.
const long = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9000000\r\n\r\n"${"x".repeat(2_000_000)}`;

const breakingOff =
  (sent: string) =>
  ({ until, write, socket }: Wire): void => {
    const answer = (): void => {
      write(sent);
      socket.end();
    };
    void until("\r\n\r\n").then(answer, () => undefined);
  };

/** Acts once middleware has kept a piece back, as a time-out of middleware's own does. */
const onceKept =
  (act: (res: Response, next: (error: Error) => void) => unknown): GatewayHandler =>
  (_req, res, next) => {
    res.once("kept", () => setImmediate(act, res, next));
    next();
  };

const handler = (act: DelegatingHandler): SceneOptions => ({ gateway: { handlers: [act] } });
const responder = (act: Responder): SceneOptions => ({ gateway: { responder: act } });

async function* halfAndFail(): AsyncGenerator<string> {
  yield await Promise.resolve("half");
  throw new Error("no more");
}

type Row = SceneOptions & Readonly<{ name: string; send?: string }>;

const aggregateOf = (...keys: readonly string[]) => ({
  route: { Key: "a" },
  aggregates: [{ UpstreamPathTemplate: "/whole/{everything}", RouteKeys: keys }],
  send: request("GET", "/whole/x"),
});

const rows: readonly Row[] = [
  { name: "the upstream breaks off", serveOne: breakingOff(half) },
  { name: "the upstream breaks off behind its head", serveOne: breakingOff(head) },
  {
    name: "the upstream breaks off, for a client of HTTP/1.0",
    serveOne: breakingOff("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n"),
    send: "GET /x HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
  },
  {
    name: "the upstream of a cached answer breaks off",
    serveOne: breakingOff(half),
    route: { CacheOptions: { TtlSeconds: 9 } },
  },
  { name: "a part of an aggregate breaks off", ...aggregateOf("a", "b"), serveOne: breakingOff(long) },
  { name: "the only part of an aggregate breaks off", ...aggregateOf("a"), serveOne: breakingOff(half) },
  {
    name: "a handler's stream fails",
    serveOne: answering(),
    ...handler(async (_outgoing, next) => Object.assign(await next(), { body: Readable.from(halfAndFail()) })),
  },
  {
    name: "the upstream breaks off, and a responder changes the body",
    serveOne: breakingOff(half),
    ...responder((answer, _context, respond) => {
      answer.body = answer.body.pipe(new PassThrough());
      return respond();
    }),
  },
  {
    name: "a responder that writes itself fails",
    serveOne: answering(),
    ...responder((_answer, { res }) => {
      res.write("half");
      throw new Error("no more");
    }),
  },
  {
    name: "a responder fails when it has asked for the answer",
    serveOne: answering(half),
    ...responder((_answer, _context, respond) => {
      void respond();
      throw new Error("no more");
    }),
  },
  {
    name: "middleware gives up",
    serveOne: answering(half),
    gateway: { middleware: [onceKept((_res, next) => next(new Error("too slow")))] },
  },
  {
    name: "middleware ends the answer",
    serveOne: answering(half),
    gateway: { middleware: [onceKept((res) => res.end("mine"))] },
  },
];

describe.each(engines)("$name: middleware keeps an answer back, and in the middle of its body", ({ create, turn }) => {
  describe.each(Object.entries(keepers))("%s", (_kept, keeper) => {
    // In the short form each row is played at one engine.
    test.each(takingTurns(rows, engines.length, turn))(
      "$name: the connection ends without half an answer",
      async ({ send = request("GET", "/x"), ...options }) => {
        const scene = await setScene(create(), { before: [keeper], ...options });
        const wire = scene.client();
        wire.write(send);
        await wire.ended;
        expect(wire.received()).toBe("");
        await scene.leave();
      },
    );
  });
});
