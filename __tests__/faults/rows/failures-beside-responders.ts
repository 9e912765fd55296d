import { EventEmitter, once } from "node:events";
import { Readable } from "node:stream";
import { expect } from "@jest/globals";
import type { ErrorRequestHandler } from "express";
import {
  createAnswer,
  createGateway,
  type GatewayHandler,
  parseConfig,
  type Responder,
  type UpstreamResponse,
} from "../../../src/index.ts";
import { askWhoResets, type Fault, large } from "./fault.ts";

type Response = Parameters<ErrorRequestHandler>[2];

/** Says whose turn it is; who listens to it by itself goes on beside what it was called for, as a callback of an old library. */
const turns = new EventEmitter();

/** Answers a failure by `begin`, and by `goOn` a moment later. */
const answersInTurns =
  (begin: (res: Response) => unknown, goOn: (res: Response) => unknown): ErrorRequestHandler =>
  async (error, _req, res, next) => {
    if (res.headersSent) next(error);
    begin(res);
    const turn = once(turns, "app");
    turns.emit("app waits");
    await turn;
    goOn(res);
  };

const beginsPage = (res: Response): unknown => res.writeHead(503, { "content-length": "11" }).write("page, ");
const nothing = (): void => undefined;

const apps: readonly (readonly [name: string, app: ErrorRequestHandler])[] = [
  ["streams its page", answersInTurns(beginsPage, (res) => res.end("whole"))],
  ["answers in a moment", answersInTurns(nothing, (res) => res.status(503).send("page, whole"))],
];

/** An app that tells of its page first, as Express' `sendFile` does until the file is open. */
const sizedPage = [
  (res: Response) => res.status(503).setHeader("content-length", "11"),
  (res: Response) => res.end("page, whole"),
] as const;

/** Is called back beside what it was called for. */
const isCalledBack: ErrorRequestHandler = (error, _req, res, next) => {
  if (res.headersSent) next(error);
  turns.once("app", () => res.status(503).send("page, whole"));
  setImmediate(() => turns.emit("app waits"));
};

/** Sends a page that waits for the client again and again. */
const sendsLongPage: ErrorRequestHandler = (error, _req, res, next) => {
  if (res.headersSent) next(error);
  Readable.from(Array.from({ length: 5 }, () => large)).pipe(res.status(503));
  turns.emit("app waits");
};

/** Gives the request to another gateway, whose answer goes on beside what it was called for, as engines may let it. */
const handsOn: ErrorRequestHandler = (_error, req, res, next) => {
  const body = new Readable({ read: nothing });
  body.push("page, ");
  turns.once("app", () => {
    body.push("whole");
    body.push(null);
  });
  const route = { UpstreamPathTemplate: "/{any}", DownstreamPathTemplate: "/" };
  const Routes = [{ ...route, DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: 1 }] }];
  createGateway(parseConfig({ Routes }, { logger: false }), {
    logger: false,
    handlers: [() => Promise.resolve(createAnswer({ status: 503, body }))],
  })(req, res, next);
  whenWritten(res, () => turns.emit("app waits"));
};

function whenWritten(res: Response, act: () => void): void {
  if (res.headersSent) setImmediate(act);
  else setImmediate(() => whenWritten(res, act));
}

type Late = (res: Response, answer: UpstreamResponse) => unknown;

const lateActs: readonly (readonly [name: string, act: Late])[] = [
  ["writes a head and ends", (res) => res.writeHead(502).end("late")],
  [
    "sets a header, and ends with text",
    (res) => {
      res.setHeader("x-late", "1");
      res.end("late");
    },
  ],
  ["writes", (res) => res.write("late")],
  ["writes a head and pipes what has broken off", (res, { body }) => body.pipe(res.writeHead(200))],
  ["flushes a head", (res) => res.flushHeaders()],
];

/** Pipes the answer, and acts in a callback, when its failure is being answered. */
const actsInTurn =
  (act: Late): Responder =>
  (upstream, { res }) => {
    turns.once("responder", () => act(res as Response, upstream));
    upstream.body.pipe(res);
  };

/** Lets an answer end for nobody, as a store does that calls back over a connection of its own. */
const endsLater: GatewayHandler = (_req, res, next) => {
  const end = res.end.bind(res) as (...values: unknown[]) => unknown;
  res.end = ((...values: unknown[]) => {
    turns.once("app", () => end(...values));
    setImmediate(() => turns.emit("app waits"));
    return res;
  }) as typeof res.end;
  next();
};

/** Answers at once. */
const answersAtOnce: ErrorRequestHandler = (error, _req, res, next) => {
  if (res.headersSent) next(error);
  else res.status(503).send("page, whole");
};

function fails(
  name: string,
  app: ErrorRequestHandler,
  act: Late,
  gets: RegExp,
  before: readonly GatewayHandler[] = [],
): Fault {
  return {
    name: `failure beside a responder, ${name}`,
    options: { gateway: { responder: actsInTurn(act) }, failures: [app], before },
    async play(scene) {
      const waits = once(turns, "app waits");
      const sender = await askWhoResets(scene);
      await waits;
      turns.emit("responder");
      turns.emit("app");
      await sender.ended;
      expect(sender.received()).toMatch(gets);
    },
  };
}

const page = /^HTTP\/1\.1 503 (?:(?!late)[^])*\r\n\r\npage, whole$/;
/** One answer, whosever it is, or less than one. */
const unmixed = /^(?:HTTP\/1\.1 (?:503 (?:(?!late)[^])*|502 (?:(?!page)[^])*|200 (?:(?!page)[^])*))?$/;

/** Failures that the app takes a moment to answer, while a responder has the response. */
export const failuresBesideResponders: readonly Fault[] = [
  ...apps.flatMap(([app, handler]) =>
    lateActs.map(([name, act]) => fails(`which ${name} while the app ${app}`, handler, act, unmixed)),
  ),
  ...[
    ...apps.map(([app, handler]) => [app, handler, page] as const),
    ["is called back", isCalledBack, page] as const,
    ["sends a long page", sendsLongPage, /^HTTP\/1\.1 503 [^]*\r\n0\r\n\r\n$/] as const,
    ["hands it on to another gateway", handsOn, /^HTTP\/1\.1 503 [^]*page, [^]*whole\r\n0\r\n\r\n$/] as const,
  ].map(([app, handler, gets]) => fails(`which is done: the app ${app}`, handler, nothing, gets)),
  ...lateActs.map(([name, act]) =>
    fails(`which ${name} while the app has said how long its page is`, answersInTurns(...sizedPage), act, /^$/),
  ),
  fails("which is done, and middleware ends the answer for nobody", answersAtOnce, nothing, page, [endsLater]),
  ...lateActs.map(([name, act]) =>
    fails(`which ${name} before middleware ends the answer for nobody`, answersAtOnce, act, unmixed, [endsLater]),
  ),
];
