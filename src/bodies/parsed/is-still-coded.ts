import type { Framing } from "../request-framing.ts";

/** How bytes of a coding begin. Those of `br` begin with anything. */
const signs: ReadonlyMap<string, (bytes: Buffer) => boolean> = new Map([
  ["gzip", isGzip],
  ["x-gzip", isGzip],
  ["deflate", isZlib],
  ["zstd", isZstd],
]);

/** A body that middleware has kept, and what tells whether it is what the client has sent. */
export type KeptBody = Readonly<{ bytes: Buffer; framing: Framing; isParsed: boolean }>;

/**
 * Whether bytes that middleware has kept are still in the coding that the client has told. Body parsers hand over what they
 * have decompressed, which may show the same coding again, and be as long as what came: a service that undid it would read
 * what no middleware has seen. Others keep what came, of which no length need be told.
 */
export function isStillCoded({ bytes, framing, isParsed }: KeptBody, contentEncoding: string): boolean {
  if (framing.kind === "length" && framing.isAsSent === true) return true;
  if (isParsed) return false;
  const bearsSign = signs.get(lastCoding(contentEncoding))?.(bytes);
  return framing.kind === "length" ? framing.length === bytes.length && bearsSign !== false : bearsSign === true;
}

/** The coding that was applied last, which is the one that the bytes show. */
function lastCoding(contentEncoding: string): string {
  return contentEncoding
    .slice(contentEncoding.lastIndexOf(",") + 1)
    .trim()
    .toLowerCase();
}

const deflateMethod = 8;

function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === deflateMethod;
}

/** RFC 1950, 2.2: the method, a window of up to 32 KiB, and a check of both. */
function isZlib(bytes: Buffer): boolean {
  if (bytes.length < 2) return false;
  const [first, second] = [bytes[0]!, bytes[1]!];
  return (first & 0x0f) === deflateMethod && first >> 4 <= 7 && (first * 256 + second) % 31 === 0;
}

const zstdFrame = 0xfd2fb528;
const skippableFrame = 0x184d2a50;

/** RFC 8878, 3.1: a frame, or one of the sixteen kinds that are passed over. */
function isZstd(bytes: Buffer): boolean {
  if (bytes.length < 4) return false;
  const magic = bytes.readUInt32LE(0);
  return magic === zstdFrame || (magic & ~0x0f) === skippableFrame;
}
