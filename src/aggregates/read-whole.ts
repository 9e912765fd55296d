import { Readable } from "node:stream";
import { decompress, findCoding } from "../bodies/decompress.ts";
import type { Headers } from "../delegating-handler.ts";
import { mapFailure } from "../forwarding/map-failure.ts";

/** Reads a body to its end; undefined for one of more than so many bytes, of which no more is read. */
export async function readWhole(body: Readable, mostBytes: number): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of body as AsyncIterable<Buffer | string>) {
    const bytes = Buffer.from(piece as string);
    length += bytes.length;
    if (length > mostBytes) return undefined;
    pieces.push(bytes);
  }
  return Buffer.concat(pieces);
}

/** Reads the body of a part's answer; what ends it early is told as for any answer. */
export async function readPartBody(body: Readable, mostBytes: number): Promise<Buffer | undefined> {
  try {
    return await readWhole(body, mostBytes);
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
