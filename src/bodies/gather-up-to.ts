import { gatherPieces } from "./gather-pieces.ts";

/** Reads a body to its end; undefined for one that is longer than it may be, of which no more is read. */
export async function gatherUpTo(body: AsyncIterable<Buffer>, mostBytes: number): Promise<Buffer | undefined> {
  const pieces = gatherPieces();
  for await (const piece of body) {
    pieces.add(piece);
    if (pieces.length() > mostBytes) return undefined;
  }
  return pieces.take();
}
