import type { OnReadOpts } from "node:net";

/** Where the bytes go that a connection has read, and whether it is in the middle of an answer. */
export type Reader = Readonly<{ deliver: (chunk: Buffer) => boolean; isAnswering: () => boolean }>;

/** Memory that answers are read into, again and again. */
export type ReadBuffers = Readonly<{
  /** How a socket reads for a connection. */
  readingFor: (reader: Reader) => OnReadOpts;
  /** A piece of an answer's body is on its way. */
  handOut: (piece: Buffer) => void;
  /** Nobody will look at a piece any more. */
  takeBack: (piece: Buffer) => void;
}>;

/** A piece of memory: how far it was filled, how many pieces of it are out, and whether the last of them is among those. */
type Slab = { readonly bytes: Buffer; filled: number; out: number; isThrough: boolean };

const slabLength = 65_536;

/** Fewer bytes are copied: they would take a whole slab along. */
const largeFrom = 16_384;

/** More memory than this does not wait to be used again. */
const sparesAtMost = 64;

/**
 * Node reads into new memory each time, and for V8 every 64 MB of it are a reason to look through the whole heap: half
 * the cost of large answers. Here a connection in the middle of a large answer reads into slabs, which come back once
 * all that was handed out of them has been written; all others share one piece of memory, from which what they have
 * read is copied.
 */
export function createReadBuffers(): ReadBuffers {
  const shared = Buffer.allocUnsafeSlow(slabLength);
  const spares: Slab[] = [];
  const slabs = new WeakMap<ArrayBufferLike, Slab>();
  return { readingFor, handOut, takeBack };

  function readingFor({ deliver, isAnswering }: Reader): OnReadOpts {
    let slab: Slab | undefined;
    return { buffer: () => slab?.bytes ?? shared, callback: receive };

    function receive(length: number): boolean {
      const filled = slab;
      const isLarge = length >= largeFrom && isAnswering();
      // A connection that waits keeps no slab for itself; one that fills the shared memory has more to come.
      slab = isLarge || length === slabLength ? (spares.pop() ?? createSlab()) : undefined;
      if (filled === undefined) return deliver(Buffer.from(shared.subarray(0, length)));
      if (isLarge) return deliver(fill(filled, length));
      const copy = Buffer.from(filled.bytes.subarray(0, length));
      keep(filled);
      return deliver(copy);
    }
  }

  function createSlab(): Slab {
    const bytes = Buffer.allocUnsafeSlow(slabLength);
    const slab = { bytes, filled: 0, out: 0, isThrough: false };
    slabs.set(bytes.buffer, slab);
    return slab;
  }

  function keep(slab: Slab): void {
    if (spares.length < sparesAtMost) spares.push(slab);
  }

  function handOut(piece: Buffer): void {
    const slab = slabs.get(piece.buffer);
    if (slab === undefined) return;
    slab.out += 1;
    slab.isThrough = piece.byteOffset + piece.length === slab.filled;
  }

  function takeBack(piece: Buffer): void {
    const slab = slabs.get(piece.buffer);
    if (slab === undefined) return;
    slab.out -= 1;
    if (slab.out === 0 && slab.isThrough) keep(slab);
  }
}

function fill(slab: Slab, length: number): Buffer {
  Object.assign(slab, { filled: length, out: 0, isThrough: false });
  return slab.bytes.subarray(0, length);
}
