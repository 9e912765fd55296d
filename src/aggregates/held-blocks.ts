import { Readable } from "node:stream";
import { gatherPieces } from "../bodies/pieces/gather-pieces.ts";
import type { HeldBytes } from "./room-for-bodies.ts";

/** The bytes of a body that wait for whoever reads them. */
export type HeldBlocks = Readonly<{
  /** Takes the next piece; false where no more should follow. */
  add: (piece: Buffer) => boolean;
  length: () => number;
  /** Gives out what there is; of that nothing is held any more. */
  giveOut: () => Generator<Buffer, void, undefined>;
  /** Nobody reads the rest. */
  drop: () => void;
}>;

const blockLength = 65_536;

/** Holds a body block by block, so that what is out takes no memory while the rest waits. */
export function createHeldBlocks(bytes: Pick<HeldBytes, "take" | "giveBack">): HeldBlocks {
  const blocks: Buffer[] = [];
  const last = gatherPieces();
  let length = 0;
  return { add, length: () => length, giveOut, drop };

  function add(piece: Buffer): boolean {
    length += piece.length;
    last.add(piece);
    if (last.length() >= blockLength) blocks.push(last.take());
    return bytes.take(piece.length);
  }

  function* giveOut(): Generator<Buffer, void, undefined> {
    while (length > 0) {
      const block = blocks.shift() ?? last.take();
      length -= block.length;
      bytes.giveBack(block.length);
      yield block;
    }
  }

  function drop(): void {
    bytes.giveBack(length);
    length = 0;
    blocks.length = 0;
    last.take();
  }
}

/** A body that is all there, and is held block by block where it is long. */
export function holdWhole(whole: Buffer, bytes: HeldBytes): Readable {
  const held = createHeldBlocks(bytes);
  // As parts of the whole they would keep all of it.
  for (let at = 0; at < whole.length; at += blockLength) held.add(Buffer.from(whole.subarray(at, at + blockLength)));
  return Readable.from(held.giveOut(), { objectMode: false });
}
