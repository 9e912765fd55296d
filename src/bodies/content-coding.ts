import { pipeline, type Readable } from "node:stream";
import zlib from "node:zlib";
import { createDecompressor, type DecompressorKind } from "./decompressing-stream.ts";
import { createRoomForWindows } from "./room-for-windows.ts";

const chunkSize = 65_536;

// The largest window that RFC 9659 allows; more would be memory for the asking.
const zstdBits = 23;
const zstdWindow = { [zlib.constants.ZSTD_d_windowLogMax]: zstdBits };

// That of gzip is smaller than a piece of what comes out.
const gzip: DecompressorKind = { open: () => zlib.createGunzip({ chunkSize }), hasFrames: false, windowOf: () => 0 };

const codings = {
  br: { open: () => zlib.createBrotliDecompress({ chunkSize }), hasFrames: false, windowOf: windowOfBrotli },
  gzip,
  "x-gzip": gzip,
  zstd: {
    open: () => zlib.createZstdDecompress({ chunkSize, params: zstdWindow }),
    hasFrames: true,
    windowOf: () => 2 ** zstdBits,
  },
} as const satisfies Record<string, DecompressorKind>;

// All answers of all gateways of the process share it: a window may have 16 MiB, however short the answer is.
const room = createRoomForWindows(128 * 1024 * 1024);

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
  const decompressor = createDecompressor(codings[coding], maxBytes, room);
  // A failure is an error of the decompressor as well: its reader hears of it there.
  pipeline(compressed, decompressor, () => undefined);
  return decompressor;
}

/** How large the window of a brotli stream becomes, by its first byte (RFC 7932, section 9.1). */
function windowOfBrotli(first: number): number {
  if (first % 2 === 0) return 2 ** 16;
  const three = (first >> 1) & 7;
  if (three > 0) return 2 ** (17 + three);
  const further = (first >> 4) & 7;
  return 2 ** (further === 0 ? 17 : 8 + further);
}
