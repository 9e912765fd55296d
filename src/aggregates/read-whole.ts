import { Readable } from "node:stream";
import { decompress, findCoding } from "../bodies/content-coding.ts";
import { gatherPieces } from "../bodies/gather-pieces.ts";
import type { Headers } from "../delegating-handler.ts";
import { mapFailure } from "../forwarding/map-failure.ts";
import type { PartCall } from "./part-call.ts";
import { piecesInTime } from "./pieces-in-time.ts";

/** How long a body may be; `fits` counts it together with others. */
export type BodyBound = Readonly<{ mostBytes: number; fits?: ((bytes: number) => boolean) | undefined }>;

/** Counts the bytes of several bodies together: says whether so many more still fit. */
export function createRoom(mostTogether: number): NonNullable<BodyBound["fits"]> {
  let left = mostTogether;
  return function fits(bytes) {
    left -= bytes;
    return left >= 0;
  };
}

/** Reads a body to its end; undefined for one that is longer than it may be, of which no more is read. */
export async function readWhole(
  body: AsyncIterable<Buffer>,
  { mostBytes, fits }: BodyBound,
): Promise<Buffer | undefined> {
  const pieces = gatherPieces();
  for await (const piece of body) {
    pieces.add(piece);
    if (pieces.length() > mostBytes || fits?.(piece.length) === false) return undefined;
  }
  return pieces.take();
}

/** Reads the body of a part's answer; what ends it early, or stops it, is told as for any answer. */
export async function readPartBody(body: Readable, call: PartCall, bound: BodyBound): Promise<Buffer | undefined> {
  try {
    return await readWhole(piecesInTime(body, call), bound);
  } catch (failure) {
    throw mapFailure(failure);
  }
}

/** The bytes of a body without a coding that can be undone; fails where that is corrupt, or gives too many bytes. */
export async function undoCoding(
  bytes: Buffer,
  contentEncoding: Headers[string] | undefined,
  bound: BodyBound,
): Promise<Buffer | undefined> {
  const coding = findCoding(contentEncoding);
  if (coding === "foreign") return undefined;
  if (coding === undefined) return bytes;
  const source = Readable.from([bytes], { objectMode: false });
  return readWhole(decompress(source, coding, bound.mostBytes), bound);
}
