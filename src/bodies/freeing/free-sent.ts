import type { Readable } from "node:stream";
import { freeMemory } from "./free-memory.ts";
import { isFreshFromParser, isWatched } from "./fresh-from-parser.ts";

type Upload = Readonly<{
  source: Readable;
  /** How many listeners of an engine's own wait for the pieces of the source. */
  readers: number;
  /**
   * How many of the earlier bytes are not written out yet; undefined where they get lost, or where code on the way
   * might keep them.
   */
  countUnsent: () => number | undefined;
}>;

/**
 * Frees the pieces of an upload, though nothing reports that a piece has been written out. Pieces leave in their order:
 * a piece is out when the pieces behind it are as long as all that is not out yet. It has to be made before the source
 * gets its listeners.
 */
export function createDisposal({ source, readers, countUnsent }: Upload): (piece: Buffer | string) => void {
  let isOurs = isFreshFromParser(source);
  let waiting: Buffer[] = [];
  let waitingBytes = 0;

  return function disposeLater(piece) {
    if (!isOurs) return;
    const unsent = isWatched(source, readers) ? undefined : countUnsent();
    if (unsent === undefined || typeof piece === "string") leaveAll();
    else {
      freeAllBut(unsent);
      waiting.push(piece);
      waitingBytes += piece.length;
    }
  };

  function leaveAll(): void {
    isOurs = false;
    waiting = [];
  }

  function freeAllBut(unsent: number): void {
    let out = 0;
    for (const { length } of waiting) {
      if (waitingBytes - length < unsent) break;
      waitingBytes -= length;
      out += 1;
    }
    if (out > 0) waiting.splice(0, out).forEach(freeMemory);
  }
}
