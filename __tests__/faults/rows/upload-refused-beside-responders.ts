import type { ServerResponse } from "node:http";
import { expect } from "@jest/globals";
import type { GatewayHandler, Responder, UpstreamResponse } from "../../../src/index.ts";
import { chunks, type Fault } from "./fault.ts";

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

/** Uploads that are refused while responders are at work, which write later. */
export const besideResponderFaults: readonly Fault[] = [
  ...lateWrites.map(([name, act]) => ({
    name: `upload that stops beside a responder: it ${name} behind the refusal`,
    options: { route: stalling, before: [endsLater], gateway: { responder: respondsLate(act) } },
    async play({ client, upstream }: Parameters<Fault["play"]>[0]) {
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
];
