import { freeMemory, freeWhole, isWorthIt } from "./free-memory.ts";

/** What a source of pieces tells of each of them. */
export type PartsDisposal = Readonly<{ received: (piece: Buffer) => void; written: (piece: Buffer) => void }>;

/** A connection, as far as it tells which memory its last read has filled to the end. */
type ReadingConnection = Readonly<{ wholeRead: ArrayBufferLike | undefined }>;

/**
 * Frees memory that is handed over in several parts, because other bytes lie between them: when all parts are out, and
 * the parser is at other memory, so that nothing is left in this one that it still has to look at. The memory of the
 * last part is left to the garbage collector, as is that of parts that somebody else takes.
 */
export function createPartsDisposal(connection: ReadingConnection): PartsDisposal {
  // Most answers are short, and need no such map.
  let bytesUnderWay: WeakMap<ArrayBufferLike, number> | undefined;
  let beingParsed: ArrayBufferLike | undefined;
  return { received, written };

  function received({ buffer, length }: Buffer): void {
    const before = beingParsed;
    beingParsed = buffer;
    // Short reads may lie in memory that Node shares out to everybody.
    if (buffer === connection.wholeRead && length !== buffer.byteLength && isWorthIt(buffer)) {
      bytesUnderWay ??= new WeakMap();
      bytesUnderWay.set(buffer, (bytesUnderWay.get(buffer) ?? 0) + length);
    }
    if (before !== undefined && before !== buffer) freeIfOut(before);
  }

  function written(piece: Buffer): void {
    const { buffer, length } = piece;
    const underWay = bytesUnderWay?.get(buffer);
    if (underWay === undefined) {
      freeMemory(piece);
      return;
    }
    bytesUnderWay?.set(buffer, underWay - length);
    if (buffer !== beingParsed) freeIfOut(buffer);
  }

  function freeIfOut(memory: ArrayBufferLike): void {
    if (bytesUnderWay?.get(memory) === 0) freeWhole(memory);
  }
}
