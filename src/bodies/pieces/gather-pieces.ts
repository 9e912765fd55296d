/** Bytes that come in pieces, and are taken together. */
export type GatheredPieces = Readonly<{
  add: (piece: Buffer) => void;
  length: () => number;
  /** The bytes in a few pieces. */
  all: () => readonly Buffer[];
  take: () => Buffer;
}>;

const mostPieces = 1_024;

/** Keeps pieces, of which each may be a single byte, and costs much more than that to keep: many of them become one. */
export function gatherPieces(): GatheredPieces {
  let long: Buffer[] = [];
  let short: Buffer[] = [];
  let length = 0;
  return { add, length: () => length, all: () => [...long, ...short], take };

  function add(piece: Buffer): void {
    length += piece.length;
    short.push(piece);
    if (short.length === mostPieces) long.push(Buffer.concat(short.splice(0)));
  }

  function take(): Buffer {
    const all = Buffer.concat([...long, ...short], length);
    [long, short, length] = [[], [], 0];
    return all;
  }
}
