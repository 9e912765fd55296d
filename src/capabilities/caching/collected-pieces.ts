import { gatherPieces, type GatheredPieces } from "../../bodies/pieces/gather-pieces.ts";
import type { ByteRoom } from "../../bodies/pieces/byte-room.ts";

/** The pieces of a body as they come in, up to a length, in a room that is not for one body alone. */
export type Collection = Readonly<{
  /** Whether it goes on: nothing has been taken or dropped yet. */
  isOpen: () => boolean;
  /** Whether so many bytes would find their place now. */
  hasPlace: (bytes: number) => boolean;
  /** Adds a piece; false where there is no place for it, or nobody wants it any more. */
  add: (piece: Buffer) => boolean;
  /** Ends it: all pieces, unless it has ended before. */
  take: () => readonly Buffer[] | undefined;
}>;

/** Begins to collect a body, for as long as it is wanted. */
export function createCollection(longest: number, room: ByteRoom, isWanted: () => boolean): Collection {
  let pieces: GatheredPieces | undefined = gatherPieces();
  let length = 0;
  return { isOpen: () => pieces !== undefined, hasPlace: room.has, add, take };

  function add(piece: Buffer): boolean {
    if (pieces === undefined || !isWanted()) return false;
    if (length + piece.length > longest || !room.take(piece.length)) return false;
    length += piece.length;
    pieces.add(piece);
    return true;
  }

  function take(): readonly Buffer[] | undefined {
    const taken = pieces?.all();
    pieces = undefined;
    room.giveBack(length);
    length = 0;
    return taken;
  }
}

/** Bytes of their own: a piece may be a small part of a large buffer, which would stay in memory as a whole. */
export function joinPieces(pieces: readonly Buffer[]): Buffer {
  const joined = Buffer.allocUnsafeSlow(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) at += piece.copy(joined, at);
  return joined;
}
