import { EventEmitter, once } from "node:events";
import { Readable } from "node:stream";
import { setImmediate as later } from "node:timers/promises";
import { expect } from "@jest/globals";
import {
  createAnswer,
  type DelegatingHandler,
  type GatewayHandler,
  type GatewayOptions,
  type Responder,
} from "../../../src/index.ts";
import { request, type Scene, type SceneOptions } from "../scene.ts";
import type { Wire } from "../wire.ts";
import type { Fault } from "./fault.ts";

/** Says when code of a scene is to go on, and when it has. */
const turns = new EventEmitter();

/** How a request fails while its call is under way. */
const failings: readonly (readonly [name: string, gateway: GatewayOptions])[] = [
  [
    "middleware that fails late",
    {
      middleware: [
        (_req, _res, next) => {
          turns.once("fails", () => next(new Error("no")));
          next();
        },
      ],
    },
  ],
  [
    "a responder that hears of the match and fails late",
    {
      responder: Object.assign(((_upstream, _context, respond) => respond()) as Responder, {
        matched: () => once(turns, "fails").then(() => Promise.reject(new Error("no"))) as unknown as undefined,
      }),
    },
  ],
];

const opened: Readable[] = [];

/** A stream that gives something, and then neither more nor an end. */
function open(): Readable {
  const stream = new Readable({ read: () => undefined });
  stream.push("late");
  opened.push(stream);
  return stream;
}

/** Tells of an answer once whoever gets it has it. */
async function told<Answer>(answer: Answer): Promise<Answer> {
  await later();
  setImmediate(() => turns.emit("answered"));
  return answer;
}

const answersEndedCall: DelegatingHandler = async (_outgoing, next) => {
  try {
    return await next();
  } catch {
    return told(createAnswer({ status: 200, body: open() }));
  }
};

const keepsAnswer: DelegatingHandler = async (_outgoing, next) => {
  const answer = await next();
  turns.emit("kept");
  await once(turns, "fails");
  return told(answer);
};

/** Adds a responder that writes where nobody catches what Node throws. */
function responding({ responder, ...gateway }: GatewayOptions): GatewayOptions {
  const writesLate: Responder = (_upstream, { res }) => {
    turns.emit("went on");
    setImmediate(() => {
      res.setHeader("x-late", "1");
      res.end("late");
    });
  };
  return { ...gateway, responder: Object.assign(writesLate, responder?.matched && { matched: responder.matched }) };
}

/** Plays a request that fails once `begin` is through; its client gets one answer, which is that of the failure. */
function fails(name: string, options: SceneOptions, begin: (scene: Scene) => Promise<Wire | undefined>): Fault {
  return {
    name: `ended call, ${name}`,
    options,
    async play(scene) {
      const sender = scene.client();
      sender.write(request("GET", "/x", "Connection: close"));
      const service = await begin(scene);
      let steps = 0;
      const count = (): void => void (steps += 1);
      turns.on("went on", count);
      const answered = once(turns, "answered");
      turns.emit("fails");
      await Promise.all([answered, sender.ended, service?.ended]);
      await later();
      turns.off("went on", count);
      expect(sender.received()).toMatch(/^HTTP\/1\.1 500 [^]*"status":500\}$/);
      expect(steps).toBe(0);
      for (const stream of opened.splice(0)) expect(stream.destroyed).toBe(true);
    },
  };
}

async function asked({ upstream }: Scene): Promise<Wire> {
  const service = await upstream.next();
  await service.until("\r\n\r\n");
  return service;
}

async function halfAnswered(scene: Scene): Promise<Wire> {
  const service = await asked(scene);
  const kept = once(turns, "kept");
  service.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf");
  await kept;
  return service;
}

/** Answers failures a moment later, as one does that waits for a template. */
const answersFailureLater: SceneOptions["failures"] = [
  (error, _req, res, next) => {
    if (res.headersSent) next(error);
    turns.once("answered", () => setImmediate(() => res.status(500).json({ status: 500 })));
  },
];

/** Waits, and lets the request pass behind its failure. */
const passesLate: GatewayHandler = async (_req, _res, next) => {
  turns.emit("waits");
  await once(turns, "fails");
  next(await told(undefined));
};

const goesOn: DelegatingHandler = () => {
  turns.emit("went on");
  return Promise.resolve(createAnswer({ status: 200, body: "late" }));
};

/** Handlers that answer calls which have ended. */
export const endedCallFaults: readonly Fault[] = [
  ...failings.flatMap(([name, gateway]) => [
    fails(
      `by ${name}: no responder gets what a handler answers all the same`,
      { gateway: { ...responding(gateway), handlers: [answersEndedCall] } },
      asked,
    ),
    fails(
      `by ${name}: no responder gets the answer of a service that a handler has kept`,
      { gateway: { ...responding(gateway), handlers: [keepsAnswer] } },
      halfAnswered,
    ),
    fails(
      `by ${name}: what a handler answers all the same does not come before the app's answer`,
      { gateway: { ...gateway, handlers: [answersEndedCall] }, failures: answersFailureLater },
      asked,
    ),
  ]),
  fails(
    "before it began, by a responder that hears of the match and fails late: no handler is called",
    { gateway: { ...failings[1]![1], middleware: [passesLate], handlers: [goesOn] } },
    async () => {
      await once(turns, "waits");
      return undefined;
    },
  ),
];
