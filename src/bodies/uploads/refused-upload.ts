import { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import type { OutgoingRequest } from "../../delegating-handler.ts";
import { listen } from "../../unattended/guarded.ts";

const refusals = new WeakSet<Error>();

/** Notes of an error that the gateway takes no more of a client's body because of it, and gives it back. */
export function asRefusal<Failure extends Error>(failure: Failure): Failure {
  refusals.add(failure);
  return failure;
}

/** Why the gateway has taken no more of a client's body; undefined where it goes on, or where other code has given it up. */
export function refusalOf(body: OutgoingRequest["body"]): Error | undefined {
  if (!(body instanceof Readable) || body.errored === null) return undefined;
  return refusals.has(body.errored) ? body.errored : undefined;
}

/** Calls back when the gateway takes no more of a client's body, before code that reads it later hears of that. */
export function whenRefused(body: OutgoingRequest["body"], listener: (refusal: Error) => void): void {
  // Only what the gateway has made of the client's request is refused.
  if (!(body instanceof Readable) || body instanceof IncomingMessage) return;
  listen(body, "error", (error: Error) => {
    if (refusals.has(error)) listener(error);
  });
}
