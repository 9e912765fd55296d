import { createNeedles, type Needles, shortestAnywhere } from "./needles.ts";
import { decodeOnceMore, endOf, type PlainBytes, plainBytesOf, type Reading, startOf } from "./plain-bytes.ts";
import type { Span } from "./spans.ts";

/*
 * How much of a text a value must account for, by its length: a long one is a secret wherever it stands, a short one only
 * as a word of its own, and what every text holds by chance only as a whole segment or parameter.
 */
const shortestAsWord = 4;
// Escaped twice and three times over: a value that is part of a URL that is itself part of one.
const deepest = 3;

const controlCharacter = /[\0-\x1f]/;
const isSeparator = bytesIn("/?&=;#:@,\"' ");

const asBytes: Reading = { encoding: "latin1", isQuoting: true };
const asText: Reading = { encoding: "utf8", isQuoting: true };

/** How values are looked for; `wholePieces`: those of less than four characters, too. */
export type Search = Readonly<{ wholePieces: boolean }>;

/** Lists of values hold for a configuration, and are looked for in every line of a log. */
const prepared = new WeakMap<readonly string[], Needles>();

/** Where values stand in a text, whatever their spelling. The cost is the length of the text, however many they are. */
export function findValues(text: string, values: readonly string[], { wholePieces }: Search): Span[] {
  const spans: Span[] = [];
  if (values.length === 0) return spans;
  const needles = needlesOf(values);
  let plain: PlainBytes | undefined = plainBytesOf(text, asBytes);
  for (let depth = 1; plain !== undefined && depth <= deepest; depth += 1) {
    const read = plain;
    needles.find(read, (start, last) => {
      if (mayStand(read, start, last, wholePieces)) spans.push({ start: startOf(read, start), end: endOf(read, last) });
    });
    plain = decodeOnceMore(plain);
  }
  return spans;
}

function needlesOf(values: readonly string[]): Needles {
  let needles = prepared.get(values);
  if (needles === undefined) prepared.set(values, (needles = createNeedles(values.flatMap(spellingsOf))));
  return needles;
}

/** Beyond ASCII a value is a client's bytes or somebody's text; it may be written as it was sent, or decoded first. */
function spellingsOf(value: string): PlainBytes[] {
  return textsOf(value).flatMap((text) => {
    const read = [plainBytesOf(text, asBytes), ...(/[^\0-\x7f]/.test(text) ? [plainBytesOf(text, asText)] : [])];
    return read.flatMap((plain) => [plain, decodeOnceMore(plain)]).filter((plain) => plain !== undefined);
  });
}

/** JSON writes the lines of a key with letters, however many backslashes before them; and a last line end is often cut. */
function textsOf(value: string): string[] {
  if (!controlCharacter.test(value)) return [value];
  const trimmed = value.trim();
  return [value, trimmed, ...[value, trimmed].map((text) => JSON.stringify(text).slice(1, -1))];
}

function mayStand(text: PlainBytes, start: number, last: number, wholePieces: boolean): boolean {
  const length = last + 1 - start;
  if (length >= shortestAnywhere) return true;
  return length >= shortestAsWord ? isWord(text, start, last) : wholePieces && isWholePiece(text, start, last);
}

function isWord({ bytes, length }: PlainBytes, start: number, last: number): boolean {
  const goesOnBefore = start > 0 && isLetter(bytes[start]!) && isLetter(bytes[start - 1]!);
  return !goesOnBefore && !(last + 1 < length && isLetter(bytes[last]!) && isLetter(bytes[last + 1]!));
}

function isWholePiece({ bytes, length }: PlainBytes, start: number, last: number): boolean {
  const begins = start === 0 || isSeparator[bytes[start - 1]!] === 1;
  return begins && (last + 1 === length || isSeparator[bytes[last + 1]!] === 1);
}

function isLetter(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x7a) || byte >= 0x80;
}

function bytesIn(characters: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}
