import { createReadStream } from "node:fs";
import { Readable, Stream } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { createAnswer } from "../../../src/index.ts";
import { handled, large, type Row } from "./row.ts";

const missing = (): Readable => createReadStream("/nowhere/at/all");
const busy = (): Promise<void> => wait(50);

/** A stream as old libraries make them: it remembers nothing, and may fail as often as it likes. */
function oldStream(act: (stream: Stream) => void): Readable {
  const stream = Object.assign(new Stream(), {
    pause: () => undefined,
    resume: () => undefined,
    destroy: () => undefined,
  });
  setImmediate(() => act(stream));
  return stream as unknown as Readable;
}

/** A stream as the oldest libraries make them, which can do nothing but speak. */
function speaking(...pieces: readonly unknown[]): Readable {
  const stream = new Stream();
  setTimeout(() => {
    for (const piece of pieces) stream.emit("data", piece);
    stream.emit("end");
  }, 20);
  return stream as Readable;
}

/** Streams that fail while nobody uses them yet, and those that cannot do what Node's can. */
export const givenStreamRows: readonly Row[] = [
  handled(
    "answers with a stream that can only speak",
    () => Promise.resolve(createAnswer({ status: 200, body: speaking("abc", large) })),
    ["abc", "xxx\r\n0\r\n\r\n"],
  ),
  handled(
    "answers with a stream that can only speak, and gives an object",
    () => Promise.resolve(createAnswer({ status: 200, body: speaking("abc", {}) })),
    "cut",
  ),
  handled(
    "makes an answer of a stream that fails while it waits",
    async () => {
      const answer = createAnswer({ status: 200, body: missing() });
      await busy();
      return answer;
    },
    "cut",
  ),
  handled(
    "assigns a stream that fails while it waits, to an answer",
    async (_outgoing, next) => {
      const answer = await next();
      answer.body = missing();
      await busy();
      return answer;
    },
    "cut",
    { calls: 1 },
  ),
  handled(
    "replaces a stream that fails",
    async (_outgoing, next) => {
      const answer = await next();
      answer.body = missing();
      answer.body = "replaced";
      await busy();
      return answer;
    },
    ["content-length: 8", "replaced"],
    { calls: 1 },
  ),
  handled(
    "assigns a stream that fails while it waits, to a request",
    async (outgoing, next) => {
      outgoing.body = missing();
      await busy();
      return next();
    },
    ["500"],
    { calls: 0 },
  ),
  handled(
    "replaces a stream that fails, of a request",
    async (outgoing, next) => {
      outgoing.body = missing();
      outgoing.body = Buffer.from("ab");
      await busy();
      return next();
    },
    ["ok"],
    { calls: 1 },
  ),
  handled(
    "assigns an old stream that fails twice",
    async (_outgoing, next) => {
      const answer = await next();
      answer.body = oldStream((stream) => {
        stream.emit("error", new Error("once"));
        setTimeout(() => stream.emit("error", new Error("twice")), 20);
      });
      await busy();
      return answer;
    },
    "cut",
    { calls: 1 },
  ),
  handled(
    "assigns an old stream that fails once it has ended",
    async (_outgoing, next) => {
      const answer = await next();
      answer.body = oldStream((stream) => {
        stream.emit("data", Buffer.from("old"));
        stream.emit("end");
        stream.emit("error", new Error("late"));
      });
      return answer;
    },
    ["Transfer-Encoding: chunked", "old", "0\r\n\r\n"],
    { calls: 1 },
  ),
];
