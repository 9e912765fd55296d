/** Less memory is left to the garbage collector. */
const worthIt = 16_384;

/**
 * Frees the memory of a piece that is out for good, if it has all of it for itself. For V8 each 64 MB that it has to let
 * go by itself are a reason to look through the whole heap: half the cost of large bodies. Whoever has kept the piece
 * finds it empty; nobody ever finds other bytes in it.
 */
export function freeMemory({ buffer, length }: Buffer): void {
  if (length === buffer.byteLength) freeWhole(buffer);
}

/** Frees memory of which all that was cut from it is out for good. */
export function freeWhole(memory: ArrayBufferLike): void {
  if (!isWorthIt(memory) || !(memory instanceof ArrayBuffer)) return;
  try {
    memory.transfer(0);
  } catch {
    // What cannot be freed, as somebody has locked it, is left to the garbage collector.
  }
}

/** Whether memory is long enough to free it. */
export function isWorthIt({ byteLength }: ArrayBufferLike): boolean {
  return byteLength >= worthIt;
}
