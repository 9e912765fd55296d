import type { ByteRoom } from "../../bodies/pieces/byte-room.ts";

/** How long each line of an answer may be, and the room that those of several answers have together. */
export type LineBounds = Readonly<{ mostBytes: number; room: ByteRoom; tooLong: () => Error; noRoom: () => Error }>;

/** Makes lines of the pieces of a text. */
export type LineReader = Readonly<{
  /** Keeps a piece behind the ones before. */
  add: (piece: Buffer) => void;
  /** Takes the next line that has ended; undefined where there is none: then a line that has begun must not be too long. */
  next: () => string | undefined;
  /** Gives up what is left. */
  end: () => void;
}>;

const lineEnd = "\n".charCodeAt(0);

/** Makes a reader of lines; what stands behind the last end of a line is none. */
export function createLineReader({ mostBytes, room, tooLong, noRoom }: LineBounds): LineReader {
  // Kept as they come, pieces of single bytes would take hundreds of times as much.
  let kept: Buffer = Buffer.alloc(0);
  let [begin, searched, filled] = [0, 0, 0];
  return { add, next, end: giveUp };

  function add(piece: Buffer): void {
    const needed = filled + piece.length;
    if (needed > kept.length) resize(Math.max(needed, 2 * filled));
    filled += piece.copy(kept, filled);
  }

  function next(): string | undefined {
    const found = kept.subarray(0, filled).indexOf(lineEnd, searched);
    if (found === -1) {
      keepBegun();
      return undefined;
    }
    const line = kept.toString("utf8", begin, found);
    begin = searched = found + 1;
    return line;
  }

  function keepBegun(): void {
    if (filled - begin > mostBytes) throw tooLong();
    if (begin > 0) resize(filled - begin);
    searched = filled;
  }

  function giveUp(): void {
    begin = searched = filled;
    resize(0);
  }

  function resize(bytes: number): void {
    if (bytes > kept.length && !room.take(bytes - kept.length)) throw noRoom();
    if (bytes < kept.length) room.giveBack(kept.length - bytes);
    const before = kept;
    kept = Buffer.allocUnsafeSlow(bytes);
    filled = before.copy(kept, 0, begin, filled);
    begin = searched = 0;
  }
}
