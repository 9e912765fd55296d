import { pipeline, type Readable } from "node:stream";
import zlib from "node:zlib";
import { createDecompressor, type DecompressorKind } from "./decompressing-stream.ts";

const chunkSize = 65_536;

// The largest window that RFC 9659 allows; more would be memory for the asking.
const zstdWindow = { [zlib.constants.ZSTD_d_windowLogMax]: 23 };

const gzip: DecompressorKind = { open: () => zlib.createGunzip({ chunkSize }), hasFrames: false };

const codings = {
  br: { open: () => zlib.createBrotliDecompress({ chunkSize }), hasFrames: false },
  gzip,
  "x-gzip": gzip,
  zstd: { open: () => zlib.createZstdDecompress({ chunkSize, params: zstdWindow }), hasFrames: true },
} as const satisfies Record<string, DecompressorKind>;

/** A content coding that can be undone. */
export type Coding = keyof typeof codings;

/** The coding of a `Content-Encoding`: undefined for a plain body, foreign for one that stays as it is. */
export function findCoding(contentEncoding: string | string[] | undefined): Coding | "foreign" | undefined {
  if (contentEncoding === undefined) return undefined;
  const name = String(contentEncoding).trim().toLowerCase();
  if (name === "" || name === "identity") return undefined;
  return Object.hasOwn(codings, name) ? (name as Coding) : "foreign";
}

/** Undoes a coding as the bytes come in; the stream fails where they are corrupt, cut, or more than `maxBytes` decompressed. */
export function decompress(compressed: Readable, coding: Coding, maxBytes: number): Readable {
  const decompressor = createDecompressor(codings[coding], maxBytes);
  // A failure is an error of the decompressor as well: its reader hears of it there.
  pipeline(compressed, decompressor, () => undefined);
  return decompressor;
}
