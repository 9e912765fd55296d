import type { Readable } from "node:stream";
import { giveUpInLaterTurn } from "./give-up-body.ts";
import type { Receiver } from "./stream-of-user-code.ts";

/** Streams that end with an exchange already. */
const ending = new WeakSet<Readable>();

/**
 * Destroys a stream at the end of the exchange for which it was given, and not before: the stream that has replaced it
 * may read from it. One that is given for several belongs to the first, which may still send it when the others are over;
 * tells whether this is the first.
 */
export function destroyAtEnd(stream: Readable, { context, cancellation }: Receiver): boolean {
  // The client's own body stays: its connection may serve further requests.
  if (stream === context.req || ending.has(stream)) return false;
  ending.add(stream);
  cancellation.onCancel(() => giveUpInLaterTurn(stream));
  return true;
}
