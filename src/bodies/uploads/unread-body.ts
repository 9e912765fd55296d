import { Readable } from "node:stream";
import type { OutgoingRequest } from "../../delegating-handler.ts";

type Body = OutgoingRequest["body"];

/** Whether a body is a stream of which nobody has had anything, not even its end. */
export function isUnread(body: Body): boolean {
  return body instanceof Readable && !body.readableDidRead && !body.readableEnded;
}

/**
 * Stops a body that nobody has read until whoever sends it next reads it: it would flow into the try that has failed, and
 * the next one would get it without its beginning.
 */
export function holdUnread(body: Body): void {
  if (isUnread(body)) (body as Readable).pause();
}
