const mark = Buffer.from([0xef, 0xbb, 0xbf]);

/** How many bytes the mark of UTF-8 has. */
export const markLength = mark.length;

const nothing = Buffer.alloc(0);

/** Prepares to remove the mark of UTF-8 from the beginning of a body that comes in pieces. */
export function createMarkRemover(): (piece: Buffer) => Buffer {
  let found = 0;
  let isBehind = false;
  return function removeMark(piece) {
    if (isBehind) return piece;
    const before = found;
    while (found < mark.length && piece[found - before] === mark[found]) found += 1;
    const isUndecided = found < mark.length && found - before === piece.length;
    if (isUndecided) return nothing;
    isBehind = true;
    if (found === mark.length) return piece.subarray(found - before);
    return before === 0 ? piece : Buffer.concat([mark.subarray(0, before), piece]);
  };
}
