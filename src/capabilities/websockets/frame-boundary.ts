/** Knows whether a stream of WebSocket frames stands between two of them. */
type FrameBoundary = Readonly<{ follow: (chunk: Buffer) => void; isBetweenFrames: () => boolean }>;

const fixedHeaderLength = 2;
const maskLength = 4;
const lengthBits = 0x7f;
// A length in the second byte that says in how many bytes the real one follows.
const extendedLengths: Readonly<Record<number, number>> = { 126: 2, 127: 8 };

/** Follows the heads of frames, which may be cut anywhere, and skips what they hold. */
export function createFrameBoundary(): FrameBoundary {
  let position = 0;
  let headerLength = fixedHeaderLength;
  let extended = 0;
  let length = 0;
  let payloadLeft = 0;
  return { follow, isBetweenFrames };

  function isBetweenFrames(): boolean {
    return position === 0 && payloadLeft === 0;
  }

  function follow(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (payloadLeft > 0) at += skip(chunk.length - at);
      else readHeader(chunk[at++]!);
    }
  }

  function skip(available: number): number {
    const skipped = Math.min(available, payloadLeft);
    payloadLeft -= skipped;
    return skipped;
  }

  function readHeader(byte: number): void {
    position += 1;
    if (position === fixedHeaderLength) readLength(byte);
    else if (position > fixedHeaderLength && position <= fixedHeaderLength + extended) length = length * 256 + byte;
    if (position < headerLength) return;
    payloadLeft = length;
    position = 0;
    headerLength = fixedHeaderLength;
  }

  function readLength(byte: number): void {
    const short = byte & lengthBits;
    extended = extendedLengths[short] ?? 0;
    length = extended === 0 ? short : 0;
    headerLength = fixedHeaderLength + extended + (byte > lengthBits ? maskLength : 0);
  }
}
