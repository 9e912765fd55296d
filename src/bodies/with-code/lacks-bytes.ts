import type { Readable } from "node:stream";

/** How many bytes were there of bodies that somebody had read before, as of a beginning that was given back. */
const lengthsAfterReading = new WeakMap<Readable, number>();

/** Lets a body be sent as it is now, though somebody has read of it: a beginning was looked at and given back. */
export function keepWhatIsThere(body: Readable): void {
  if (body.readableDidRead) lengthsAfterReading.set(body, body.readableLength);
}

/** Whether somebody has read bytes that were to be sent; of a body in chunks, what is left would look whole. */
export function lacksBytes(body: Readable): boolean {
  return body.readableDidRead && !(body.readableLength >= (lengthsAfterReading.get(body) ?? Infinity));
}
