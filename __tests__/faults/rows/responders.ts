import { PassThrough } from "node:stream";
import { setImmediate as later } from "node:timers/promises";
import { expect } from "@jest/globals";
import type { Responder } from "../../../src/index.ts";
import type { Wire } from "../wire.ts";
import { answering, type Row } from "./row.ts";

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

/** What responders do. */
export const responderRows: readonly Row[] = [
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
    "pipes an answer that is cut into the response",
    (upstream, { res }) => void upstream.body.pipe(res),
    "cut",
    {
      options: { serveOne: halfAnswer },
      more: ({ logged }) => expect(logged).toEqual(["upstream-reset"]),
    },
  ),
  answered(
    "pipes an answer that is cut through a stream",
    async (upstream, { res }) => {
      await later();
      upstream.body.pipe(new PassThrough()).pipe(res);
    },
    "cut",
    { options: { serveOne: halfAnswer }, more: (_scene, wire) => expect(wire.received()).toContain("abc") },
  ),
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
