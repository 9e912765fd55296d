import { Readable } from "node:stream";
import { decompress, findCoding } from "./content-coding.ts";
import { type BodyBound, gatherUpTo } from "../pieces/gather-up-to.ts";

/**
 * The bytes of a body without a coding that can be undone, which take its place in the room; fails where that is corrupt,
 * or gives too many bytes.
 */
export async function undoCoding(
  bytes: Buffer,
  contentEncoding: string | string[] | undefined,
  bound: BodyBound,
): Promise<Buffer | undefined> {
  const coding = findCoding(contentEncoding);
  if (coding === "foreign") return undefined;
  if (coding === undefined) return bytes;
  bound.room?.giveBack(bytes.length);
  const source = Readable.from([bytes], { objectMode: false });
  return gatherUpTo(decompress(source, coding, bound.mostBytes), bound);
}
