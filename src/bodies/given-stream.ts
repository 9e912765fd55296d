import { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import type { Cancellation } from "../cancellation.ts";
import { listen } from "../unattended/guarded.ts";

const failures = new WeakMap<Readable, Error | undefined>();

/**
 * Listens to a stream that somebody has handed over, from then on and for good: it may fail long before it is used, once
 * more when it has failed already, and after it was let go. An error without a listener would end the process.
 */
export function watchGiven(stream: Readable): void {
  // One of node:http fails only where somebody listens.
  if (stream instanceof IncomingMessage || failures.has(stream) || typeof stream.on !== "function") return;
  failures.set(stream, undefined);
  listen(stream, "error", (error: Error) => {
    if (failures.get(stream) === undefined) failures.set(stream, error);
  });
}

/** How a stream has failed; those of other libraries do not remember it themselves. */
export function failureOf(stream: Readable): Error | undefined {
  return stream.errored ?? failures.get(stream);
}

/** The exchange for which a stream is given. */
export type Receiver = Readonly<{
  context: Readonly<{ req: IncomingMessage }>;
  cancellation: Pick<Cancellation, "onCancel">;
}>;

/**
 * Destroys a stream at the end of the exchange it was given for. Not before: one that was replaced may be read by what
 * stands in its place.
 */
export function destroyAtEnd(stream: Readable, { context, cancellation }: Receiver): void {
  // The client's connection may go on.
  if (stream === context.req) return;
  // Old streams have no such function.
  cancellation.onCancel(() => void (stream as Partial<Readable>).destroy?.());
}
