import { isWorthIt } from "./free-memory.ts";

/** How many times as long as a piece the memory may be that it lies in. */
const mostTimes = 8;

/**
 * A piece that fills little of the memory it lies in, in memory of its own. What is read at once may be framing for the
 * most part, such as a long extension for each chunk of a byte: whoever kept the piece would keep all of it.
 */
export function inOwnMemory(piece: Buffer): Buffer {
  const { buffer, length } = piece;
  if (!isWorthIt(buffer) || length * mostTimes >= buffer.byteLength) return piece;
  // What Node shares out to short pieces is no less memory.
  const own = Buffer.allocUnsafeSlow(length);
  own.set(piece);
  return own;
}
