import { Readable } from "node:stream";
import { decompress, findCoding } from "../bodies/content-coding.ts";
import { gatherPieces } from "../bodies/gather-pieces.ts";
import type { Headers } from "../delegating-handler.ts";
import { mapFailure } from "../forwarding/map-failure.ts";
import type { PartCall } from "./part-call.ts";
import { piecesInTime } from "./pieces-in-time.ts";

/** Reads a body to its end; undefined for one of more than so many bytes, of which no more is read. */
export async function readWhole(body: AsyncIterable<Buffer>, mostBytes: number): Promise<Buffer | undefined> {
  const pieces = gatherPieces();
  for await (const piece of body) {
    pieces.add(piece);
    if (pieces.length() > mostBytes) return undefined;
  }
  return pieces.take();
}

/** Reads the body of a part's answer; what ends it early, or stops it, is told as for any answer. */
export async function readPartBody(body: Readable, call: PartCall, mostBytes: number): Promise<Buffer | undefined> {
  try {
    return await readWhole(piecesInTime(body, call), mostBytes);
  } catch (failure) {
    throw mapFailure(failure);
  }
}

/** The bytes of a body without a coding that can be undone; fails where that is corrupt, or gives too many bytes. */
export async function undoCoding(
  bytes: Buffer,
  contentEncoding: Headers[string] | undefined,
  mostBytes: number,
): Promise<Buffer | undefined> {
  const coding = findCoding(contentEncoding);
  if (coding === "foreign") return undefined;
  if (coding === undefined) return bytes;
  return readWhole(decompress(Readable.from([bytes], { objectMode: false }), coding, mostBytes), mostBytes);
}
