import { Duplex, type Readable } from "node:stream";
import { after, listenOnce, nextTurn } from "../unattended/guarded.ts";

/** How long what Node has composed may be read before it is destroyed; milliseconds. */
const longestReading = 1_000;

/**
 * Destroys a stream that user code has given, in a later turn of the event loop. What it reads from is destroyed with it: where
 * that goes through web streams, and has been told to flow in the same turn, Node gives pieces of it all the same, which its
 * adapter does not expect any more, and throws above all code.
 */
export function destroyInLaterTurn(stream: Readable): void {
  nextTurn(() => {
    if (isComposed(stream) && !stream.destroyed) readOut(stream);
    else destroy(stream);
  });
}

/** Does so with a stream that is made of a body which is under way, and gives nothing more when that has ended. */
export function destroyUnreadInLaterTurn(stream: Readable): void {
  nextTurn(() => destroy(stream));
}

/**
 * Reads a stream to its end, and destroys it only if that takes long. When what feeds a composed stream has come to its end,
 * Node listens no more to the last stream of it, such as one of `node:zlib`, which fails if it is destroyed with bytes left.
 */
function readOut(stream: Readable): void {
  const timer = after(longestReading, () => destroy(stream)).unref();
  listenOnce(stream, "close", () => clearTimeout(timer));
  stream.resume();
}

/** What `compose()` and `Duplex.from()` give is a plain stream with an end of its own. */
function isComposed(stream: Readable): boolean {
  return stream instanceof Duplex && Object.hasOwn(stream, "_destroy");
}

function destroy(stream: Readable): void {
  // Old streams have no such function.
  (stream as Partial<Readable>).destroy?.();
}
