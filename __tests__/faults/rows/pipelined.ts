import { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { expect } from "@jest/globals";
import { createAnswer, type DelegatingHandler, type GatewayHandler } from "../../../src/index.ts";
import { request, type Scene, type SceneOptions } from "../scene.ts";
import { until } from "../../reload/scene.ts";
import type { Wire } from "../wire.ts";
import type { Fault } from "./fault.ts";

const slow = request("GET", "/slow");
const third = request("GET", "/third", "Connection: close");
const expecting = (method: string, target = "/second") =>
  `${request(method, target, "Expect: 100-continue", "Content-Length: 2")}ab`;

const whole = (body: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
// What stands at the end of it would be read as an answer if anything came between the head and the body.
const long = "a".repeat(4_975) + "HTTP/1.1 204 N\r\nX-F: 1\r\n\r\n".padStart(25, "a");

const interim = "HTTP/1.1 100 Continue\r\n\r\n";

type UpstreamAct = string | ((wire: Wire) => void);

/** What becomes of a second request, to which Node has said `100 Continue` while the first one was still unanswered. */
type Second = Readonly<{
  name: string;
  /** What the upstream does; undefined where it is not asked. */
  answer?: UpstreamAct;
  options?: Pick<SceneOptions, "before" | "gateway" | "isPlain">;
  send?: string;
  /** What the client must read between the first and the third answer, after the interim one. */
  reads: RegExp;
}>;

const answeredBy = (middleware: GatewayHandler) => ({ gateway: { middleware: [onSecond(middleware)] } });

function onSecond(middleware: GatewayHandler): GatewayHandler {
  return (req, res, next) => (req.url === "/second" ? middleware(req, res, next) : next());
}

/** Collects an answer, and makes its head by Node's own function once it has all, as a session that is saved first does. */
const keepsBack: GatewayHandler = (_req, res, next) => {
  const end = Reflect.get(res, "end") as () => unknown;
  const pieces: Buffer[] = [];
  let kept: unknown[] = [];
  res.writeHead = (...head: unknown[]) => {
    kept = head;
    return res;
  };
  res.write = (piece: unknown) => pieces.push(Buffer.from(piece as Buffer)) > 0;
  res.end = (piece?: unknown) => {
    if (piece !== undefined) pieces.push(Buffer.from(piece as Buffer));
    setImmediate(() => {
      Reflect.apply(Reflect.get(ServerResponse.prototype, "writeHead"), res, kept);
      Reflect.apply(end, res, [Buffer.concat(pieces)]);
    });
    return res;
  };
  next();
};

const seconds: readonly Second[] = [
  { name: "a short answer", answer: whole("HELLO"), reads: /^HTTP\/1.1 200 [^]*?\r\n\r\nHELLO$/ },
  { name: "a long answer", answer: whole(long), reads: new RegExp(`^HTTP/1.1 200 [^]*?\\r\\n\\r\\n${long}$`) },
  {
    name: "a long answer to HEAD",
    send: expecting("HEAD"),
    answer: "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n",
    reads: /^HTTP\/1.1 200 (?:(?!\r\n\r\n)[^])*\r\n\r\n$/,
  },
  {
    name: "chunks",
    answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
    reads: /^HTTP\/1.1 200 [^]*?\r\n\r\n3\r\nabc\r\n0\r\n\r\n$/,
  },
  {
    name: "an error of the gateway's own",
    answer: ({ socket }) => socket.resetAndDestroy(),
    reads: /^HTTP\/1.1 502 [^]*?\r\n\r\n\{[^}]*"upstream-reset"\}$/,
  },
  {
    name: "no route",
    send: expecting("TRACE"),
    options: { isPlain: true },
    reads: /^HTTP\/1.1 404 [^]*?\r\n\r\n\{[^}]*"no-route"\}$/,
  },
  {
    name: "bytes of middleware",
    options: answeredBy((_req, res) => void res.end(Buffer.from("bytes"))),
    reads: /^HTTP\/1.1 200 [^]*?\r\n\r\nbytes$/,
  },
  {
    name: "other interim answers",
    options: answeredBy((_req, res) => {
      res.writeEarlyHints({ link: "</a>; rel=preload" });
      res.end(Buffer.from("bytes"));
    }),
    reads: /^HTTP\/1.1 103 [^]*?\r\n\r\nHTTP\/1.1 200 [^]*?\r\n\r\nbytes$/,
  },
  {
    name: "an answer whose head middleware keeps back",
    answer: whole("HELLO"),
    options: { before: [onSecond(keepsBack)] },
    reads: /^HTTP\/1.1 200 [^]*?\r\n\r\nHELLO$/,
  },
  {
    name: "an error whose head middleware keeps back",
    answer: ({ socket }) => socket.resetAndDestroy(),
    options: { before: [onSecond(keepsBack)] },
    reads: /^HTTP\/1.1 502 [^]*?\r\n\r\n\{[^}]*"upstream-reset"\}$/,
  },
  {
    name: "a handler's stream",
    options: {
      gateway: {
        handlers: [
          (({ path }, next) =>
            path === "/second"
              ? Promise.resolve(createAnswer({ status: 200, body: Readable.from([Buffer.from("piece")]) }))
              : next()) satisfies DelegatingHandler,
        ],
      },
    },
    reads: /^HTTP\/1.1 200 [^]*?\r\n\r\n5\r\npiece\r\n0\r\n\r\n$/,
  },
];

const failing: DelegatingHandler = ({ path }, next) => {
  if (path !== "/second") return next();
  const body = new Readable({ read: () => undefined });
  body.push("half");
  setTimeout(() => body.destroy(new Error("source")), 20);
  return Promise.resolve(createAnswer({ status: 200, body }));
};

/** What comes while an answer waits behind another. */
export const pipelinedFaults: readonly Fault[] = [false, true].flatMap((isPlain) => {
  const where = isPlain ? "on a plain server" : "in Express";
  return [
    ...seconds
      .filter(({ options }) => (isPlain ? options?.before === undefined : options?.isPlain !== true))
      .map(({ name, answer, options, send = expecting("POST"), reads }): Fault => ({
        name: `pipelined: 100 Continue stands before the whole of ${name}, ${where}`,
        options: { serveOne: answerWith(answer), isPlain, ...options },
        async play({ client }) {
          const wire = client();
          wire.write(slow + send + third);
          await wire.ended;
          const [, rest = ""] = wire.received().split(/SLOW/);
          expect(rest).toMatch(new RegExp(`^${interim}`));
          const end = rest.lastIndexOf("HTTP/1.1 200");
          expect(rest.slice(interim.length, end)).toMatch(reads);
          expect(rest.slice(end)).toMatch(/\r\n\r\nTHIRD$/);
        },
      })),
    ...["HTTP/1.1", "HTTP/1.0"].map((version): Fault => ({
      name: `pipelined: half an answer to ${version} behind another ends its connection, ${where}`,
      options: {
        isPlain,
        serveOne: answerWith((wire) => {
          wire.socket.end("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n");
        }),
      },
      play: (scene) =>
        expectCut(scene, request("GET", "/second", "Connection: keep-alive").replace("HTTP/1.1", version)),
    })),
    {
      name: `pipelined: a handler's stream that fails behind another ends its connection, ${where}`,
      options: { isPlain, serveOne: answerWith(undefined), gateway: { handlers: [failing] } },
      play: (scene: Scene) => expectCut(scene, request("GET", "/second")),
    },
  ];
});

/** The client gets its whole first answer, and nothing behind the broken one; the place in the count of requests is free. */
async function expectCut({ client, running, logged }: Scene, send: string): Promise<void> {
  const wire = client();
  wire.write(slow + send + third);
  await wire.ended;
  const [first, second = ""] = wire.received().split(/(?<=SLOW)/);
  expect(first).toMatch(/^HTTP\/1.1 200 [^]*?\r\n\r\nSLOW$/);
  expect(second).not.toMatch(/THIRD|\r\n0\r\n\r\n$/);
  expect(logged.length).toBeGreaterThan(0);
  await until(() => running.gateway.health().running === 0);
}

/** Answers the first request a while after the second one has come to the gateway, which waits for its turn there. */
function answerWith(second: UpstreamAct | undefined) {
  return (wire: Wire): void => {
    wire.socket.on("data", (bytes: string) => {
      if (bytes.includes("/third")) wire.write(whole("THIRD"));
      else if (bytes.includes("/slow")) setTimeout(() => wire.write(whole("SLOW")), 60);
      else if (typeof second === "function") second(wire);
      else if (second !== undefined) wire.write(second);
    });
  };
}
