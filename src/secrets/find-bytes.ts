import type { PlainBytes } from "./plain-bytes.ts";

/**
 * Finds every place where one run of bytes stands in another, those that overlap too. Each byte is looked at twice at
 * most, whatever the two hold: a value and a text that a client made for each other cost no more than others.
 */
export function findBytes(needle: PlainBytes, { bytes, length }: PlainBytes, found: (start: number) => void): void {
  const borders = bordersOf(needle);
  let matched = 0;
  for (let at = 0; at < length; at += 1) {
    while (matched > 0 && (matched === needle.length || bytes[at] !== needle.bytes[matched])) {
      matched = borders[matched - 1]!;
    }
    if (bytes[at] === needle.bytes[matched]) matched += 1;
    if (matched === needle.length) found(at + 1 - matched);
  }
}

/** Of each beginning of the needle, how long the longest part is with which it both begins and ends. */
function bordersOf({ bytes, length }: PlainBytes): Uint32Array {
  const borders = new Uint32Array(length);
  let border = 0;
  for (let at = 1; at < length; at += 1) {
    while (border > 0 && bytes[at] !== bytes[border]) border = borders[border - 1]!;
    if (bytes[at] === bytes[border]) border += 1;
    borders[at] = border;
  }
  return borders;
}
