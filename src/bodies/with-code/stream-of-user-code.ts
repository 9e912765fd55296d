import { IncomingMessage, type ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import type { Cancellation } from "../../cancellation.ts";
import type { BodiesWithCode } from "./bodies-with-code.ts";
import { hearFailure } from "./silence.ts";
import { hearPartsOfComposed, isComposed } from "./hear-parts-of-composed.ts";

const failures = new WeakMap<Readable, Error | undefined>();

/**
 * Listens for errors of a stream that user code has handed over, for as long as the stream lives: it may fail long
 * before it is used, again after a first failure, and after it was given up. An error without a listener would end the
 * process.
 */
export function watchGiven(stream: Readable): void {
  // A message of node:http emits errors only where it has a listener.
  if (stream instanceof IncomingMessage || failures.has(stream) || typeof stream.on !== "function") return;
  failures.set(stream, undefined);
  if (isComposed(stream)) hearPartsOfComposed(stream);
  hearFailure(stream, (error) => {
    if (failures.get(stream) === undefined) failures.set(stream, error);
  });
}

/** Whether user code has handed a stream over. */
export function isGiven(stream: object): boolean {
  return failures.has(stream as Readable);
}

/** How a stream has failed; streams of other libraries do not remember it. */
export function failureOf(stream: Readable): Error | undefined {
  return stream.errored ?? failures.get(stream);
}

/** The exchange for which a stream is given. */
export type Receiver = Readonly<{
  context: Readonly<{ req: IncomingMessage; res: ServerResponse }>;
  cancellation: Cancellation;
  bodiesWithCode?: BodiesWithCode | undefined;
}>;
