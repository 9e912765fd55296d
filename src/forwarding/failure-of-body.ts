import { Readable } from "node:stream";
import type { OutgoingRequest } from "../delegating-handler.ts";

/** A body that a handler gives may fail, with whatever it likes: that tells nothing of the upstream or its connections. */
export function isFailureOfBody(failure: unknown, { body }: Readonly<OutgoingRequest>): boolean {
  return body instanceof Readable && body.errored === failure;
}
