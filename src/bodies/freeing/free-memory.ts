/** Shorter memory is not worth the call: the garbage collector gets it. */
const worthIt = 16_384;

/**
 * Frees the memory of a piece that has been written out, if no other piece lies in it. Each 64 MB that V8 has to free
 * by itself make it look through the whole heap, which is half the cost of large bodies. Code that has kept the piece
 * finds it empty, and never finds other bytes in it.
 */
export function freeMemory({ buffer, length }: Buffer): void {
  if (length === buffer.byteLength) freeWhole(buffer);
}

/** Frees memory of which every piece has been written out. */
export function freeWhole(memory: ArrayBufferLike): void {
  if (!isWorthIt(memory) || !(memory instanceof ArrayBuffer)) return;
  try {
    memory.transfer(0);
  } catch {
    // Memory that other code has locked cannot be freed: the garbage collector gets it.
  }
}

/** Whether memory is long enough to free it. */
export function isWorthIt({ byteLength }: ArrayBufferLike): boolean {
  return byteLength >= worthIt;
}
