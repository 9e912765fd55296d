import { Readable } from "node:stream";
import { GatewayError } from "../../errors.ts";
import { ignoreErrors } from "../../unattended/guarded.ts";
import type { AnswerBody } from "../answer-body.ts";

const spent = new WeakSet<Readable>();

/** Whether the pieces of a stream that user code has, too, are on their way to somebody: nobody else may have some of them. */
export function isSpent(stream: Readable | undefined): boolean {
  return stream !== undefined && spent.has(stream);
}

/** Notes that somebody has the pieces of a stream. */
export function noteSpent(stream: Readable): void {
  spent.add(stream);
}

/** The refusal of a body that somebody else has. */
export function givenTwice(): GatewayError {
  return new GatewayError(
    "handler-misuse",
    "The body of an answer can be had once, and this one has gone already: the same answer was given to two requests, or read " +
      "after it had been handed on. Keep the bytes, and give each request an answer of its own: " +
      "createAnswer({ status, headers, body }).",
  );
}

/** What there is to take of a body that somebody else has: reading along would take pieces away. */
export const goneBody: AnswerBody = {
  toStream: createGoneStream,
  takeWhole: () => undefined,
  writeTo: () => Promise.reject(givenTwice()),
  sendTo: (sink) => sink.fail(givenTwice()),
  flow: { resume: nothing, abort: nothing },
};

function createGoneStream(): Readable {
  const stream = new Readable({ read: nothing });
  ignoreErrors(stream);
  noteSpent(stream);
  return stream.destroy(givenTwice());
}

function nothing(): void {
  // The source is somebody else's.
}
