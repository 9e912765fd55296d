import type { Readable } from "node:stream";
import { isStream } from "../bodies/is-stream.ts";
import { refuseBody } from "../bodies/refuse-body.ts";
import { GatewayError } from "../errors.ts";
import { type AnyResponse, isTaken } from "./upstream-response.ts";

/** Streams of answers that a handler has made by itself and that are on their way to a client. */
const takenStreams = new WeakSet<Readable>();

/** Refuses an answer whose body cannot be written, as long as its head has not left. */
export function requireBody(answer: AnyResponse): void {
  if (answer[isTaken] === undefined) takeStream(answer.body);
  else if (answer[isTaken]) throw givenTwice();
}

/** Whether nothing is left of a body that could be thrown away. */
export function isGone(answer: AnyResponse): boolean {
  return answer[isTaken] ?? !isStream(answer.body);
}

function takeStream(body: Readable): void {
  if (!isStream(body)) throw refuseBody(body);
  if (takenStreams.has(body)) throw givenTwice();
  takenStreams.add(body);
}

function givenTwice(): GatewayError {
  return new GatewayError(
    "handler-misuse",
    "The same answer was given to two requests, and its body is a stream that only one of them can have. Keep the bytes, and " +
      "give each request an answer of its own: createAnswer({ status, headers, body }).",
  );
}
