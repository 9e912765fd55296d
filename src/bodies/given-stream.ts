import { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
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

/** Closes what a stream has open, unless somebody reads from it. */
export function destroyUnread(stream: Readable): void {
  const isRead = stream.listenerCount("data") > 0 || stream.listenerCount("readable") > 0;
  // Old streams have no such function.
  if (!isRead) (stream as Partial<Readable>).destroy?.();
}
