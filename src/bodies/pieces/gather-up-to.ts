import type { ByteRoom } from "./byte-room.ts";
import { gatherPieces } from "./gather-pieces.ts";

/** How long a body may be, by itself and in the room that it has together with others. */
export type BodyBound = Readonly<{ mostBytes: number; room?: Pick<ByteRoom, "take" | "giveBack"> | undefined }>;

/** Reads a body to its end; undefined for one that is longer than it may be, of which no more is read. */
export async function gatherUpTo(
  body: AsyncIterable<Buffer>,
  { mostBytes, room }: BodyBound,
): Promise<Buffer | undefined> {
  const pieces = gatherPieces();
  for await (const piece of body) {
    pieces.add(piece);
    if (pieces.length() > mostBytes || room?.take(piece.length) === false) return undefined;
  }
  return pieces.take();
}
