import { EventEmitter, once } from "node:events";
import type { ServerResponse } from "node:http";
import { setImmediate as later } from "node:timers/promises";
import { expect } from "@jest/globals";
import type { GatewayHandler, Responder, UpstreamResponse } from "../../../src/index.ts";
import { askWhoResets, chunks, type Fault } from "./fault.ts";

const answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nearly";
const stalling = { Limits: { Upload: 0.1 } };

/** Acts when the gateway has answered, in a callback that nobody catches errors of. */
function onceAnswered(res: ServerResponse, act: () => void): void {
  if (res.headersSent || res.destroyed) act();
  else setImmediate(() => onceAnswered(res, act));
}

type Late = (answer: UpstreamResponse, res: ServerResponse) => void;

const lateWrites: readonly (readonly [name: string, act: Late])[] = [
  ["writes a head and pipes the answer", (upstream, res) => upstream.body.pipe(res.writeHead(upstream.status))],
  [
    "sets a header and a status",
    (upstream, res) => {
      res.setHeader("x-late", "1");
      res.statusCode = upstream.status;
      upstream.body.pipe(res);
    },
  ],
  [
    "wants its length to be kept",
    (_upstream, res) => {
      res.strictContentLength = true;
      res.end("late");
    },
  ],
];

const respondsLate =
  (act: Late): Responder =>
  (upstream, { res }) =>
    onceAnswered(res, () => act(upstream, res));

/** Ends answers a moment later, as middleware does that waits for a store. */
const endsLater: GatewayHandler = (_req, res, next) => {
  const end = Reflect.get<typeof res, "end">(res, "end");
  res.end = (...parts: unknown[]) => {
    setImmediate(() => Reflect.apply(end, res, parts));
    return res;
  };
  next();
};

/** Tells of a responder that waits, and when it is to go on. */
const turns = new EventEmitter();

const pipesInTurn: Responder = async (upstream, { res }) => {
  const turn = once(turns, "goes on");
  turns.emit("waits");
  await turn;
  res.writeHead(upstream.status);
  upstream.body.pipe(res);
};

/** Pipes the answer, and answers its failure itself, once that was answered: as one does that writes to a log first. */
const answersFailureLate: Responder = ({ body }, { res }) => {
  body.on("error", () =>
    onceAnswered(res, () => {
      res.statusCode = 502;
      res.setHeader("x-late", "1");
      res.writeHead(502).end("late");
    }),
  );
  body.pipe(res);
};

/** Tells when its call is cancelled, and writes behind the refusal. */
const tellsOfEnd: Responder = (_upstream, { res, signal }) => {
  signal.addEventListener("abort", () => turns.emit("ends"));
  onceAnswered(res, () => res.writeHead(200).end("late"));
};

type Play = Fault["play"];
type Sides = Parameters<Play>[0];

/** Sends the first chunk of an upload; the service begins its answer, and has the chunk. */
async function beginUpload(client: Sides["client"], upstream: Sides["upstream"]) {
  const sender = client();
  sender.write(`${chunks}5\r\n01234\r\n`);
  const service = await upstream.next();
  service.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n");
  await service.until("01234");
  return { sender, service };
}

const breaksOff: readonly (readonly [name: string, code: string, play: Play])[] = [
  [
    "an upload that is too large",
    "body-too-large",
    async ({ client, upstream }) => {
      const { sender } = await beginUpload(client, upstream);
      sender.write(`14\r\n${"x".repeat(20)}\r\n`);
      await sender.until('"code":"body-too-large"');
      sender.write("0\r\n\r\n");
      await sender.ended;
      expect(sender.received()).toMatch(/^HTTP\/1\.1 413 [^]*"code":"body-too-large"[^]*\}$/);
    },
  ],
  [
    "a service that resets beside an upload",
    "upstream-reset",
    async ({ client, upstream }) => {
      const { sender, service } = await beginUpload(client, upstream);
      setImmediate(() => service.socket.resetAndDestroy());
      await sender.until('"code":"upstream-reset"');
      sender.write("0\r\n\r\n");
      await sender.ended;
      expect(sender.received()).toMatch(/^HTTP\/1\.1 502 [^]*\}$/);
    },
  ],
  [
    "a service that resets behind its head",
    "upstream-reset",
    async (sides) => {
      const sender = await askWhoResets(sides);
      await sender.ended;
      expect(sender.received()).toMatch(/^HTTP\/1\.1 502 [^]*"code":"upstream-reset"[^]*\}$/);
    },
  ],
];

/** Uploads that are refused while responders are at work, which write later. */
export const besideResponderFaults: readonly Fault[] = [
  ...lateWrites.map(([name, act]) => ({
    name: `upload that stops beside a responder: it ${name} behind the refusal`,
    options: { route: stalling, before: [endsLater], gateway: { responder: respondsLate(act) } },
    async play({ client, upstream }: Sides) {
      const sender = client();
      sender.write(`${chunks}5\r\n01234\r\n`);
      const service = await upstream.next();
      service.write(answer);
      await sender.until('"code":"upload-stalled"');
      sender.write("0\r\n\r\n");
      await sender.ended;
      expect(sender.received().match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 408"]);
      expect(sender.received()).not.toMatch(/late|early/);
    },
  })),
  {
    name: "upload that stops beside a responder: its end comes right then",
    options: { route: stalling, gateway: { responder: tellsOfEnd } },
    async play({ client, upstream }) {
      const sender = client();
      turns.once("ends", () => sender.write("0\r\n\r\n"));
      sender.write(`${chunks}5\r\n01234\r\n`);
      const service = await upstream.next();
      service.write(answer);
      await sender.until('"code":"upload-stalled"');
      // The responder has had its turn.
      await later();
      await later();
      expect(sender.received().match(/HTTP\/1\.1 \d+|late/g)).toEqual(["HTTP/1.1 408"]);
    },
  },
  {
    name: "upload that grows too long beside a responder: it pipes what is left of the answer",
    options: { route: { Limits: { Body: 9 } }, gateway: { responder: pipesInTurn } },
    async play({ client, upstream }) {
      const waits = once(turns, "waits");
      const sender = client();
      sender.write(`${chunks}5\r\n01234\r\n`);
      const service = await upstream.next();
      await service.until("01234");
      service.write(answer);
      await waits;
      sender.write("a\r\n0123456789\r\n");
      await service.ended;
      turns.emit("goes on");
      await sender.until("early").catch(() => undefined);
      // Half an answer, or an empty one, must not look whole.
      expect(sender.received()).toMatch(/early|^$/);
    },
  },
  ...breaksOff.map(([name, code, play]) => ({
    name: `${name} beside a responder that pipes, and answers late: ${code} stays as it is`,
    options: { route: { Limits: { Body: 10 } }, gateway: { responder: answersFailureLate } },
    play,
  })),
];
