import { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { freeMemory } from "../../answer/free-memory.ts";

/** More pieces than this are not waited for. */
const waitingAtMost = 64;

type Upload = Readonly<{
  source: Readable;
  /** How many listeners of an engine's own wait for the pieces of the source. */
  readers: number;
  /** Whether all pieces before are out for good. */
  isSent: () => boolean;
}>;

/** Frees the pieces of an upload on their way to where nobody tells that they have arrived. To be made before the source is listened to. */
export function createDisposal({ source, readers, isSent }: Upload): (piece: Buffer | string) => void {
  let isOursAlone = isFreshFromParser(source);
  let waiting: Buffer[] = [];

  return function disposeLater(piece) {
    if (source.listenerCount("data") > readers) isOursAlone = false;
    if (!isOursAlone || typeof piece === "string") return;
    if (isSent()) waiting.splice(0).forEach(freeMemory);
    else if (waiting.length >= waitingAtMost) waiting = [];
    waiting.push(piece);
  };
}

/** Whether the pieces will be made by Node's parser, and nobody else listens. What an adapter hands over as a request is its own. */
function isFreshFromParser(source: Readable): boolean {
  if (!(source instanceof IncomingMessage) || source.socket.bytesRead === 0) return false;
  return source.listenerCount("data") === 0 && source.listenerCount("readable") === 0;
}
