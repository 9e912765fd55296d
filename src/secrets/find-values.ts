import { findBytes } from "./find-bytes.ts";
import { decodeOnceMore, endOf, type PlainBytes, plainBytesOf, type Reading, startOf } from "./plain-bytes.ts";
import type { Span } from "./spans.ts";

/*
 * How much of a text a value must account for, by its length: a long one is a secret wherever it stands, a short one only
 * as a word of its own, and what every text holds by chance only as a whole segment or parameter.
 */
const shortest = { anywhere: 8, asWord: 4 } as const;
// Escaped twice and three times over: a value that is part of a URL that is itself part of one.
const deepest = 3;
// A character has three bytes at most, each of five characters where it is escaped twice: no longer value is part of a text.
const mostSpelling = 15;

const controlCharacter = /[\0-\x1f]/;
const isSeparator = bytesIn("/?&=;#:@,\"' ");

const asBytes: Reading = { encoding: "latin1", isQuoting: true };
const asText: Reading = { encoding: "utf8", isQuoting: true };

/** How values are looked for; `wholePieces`: those of less than four characters, too. */
export type Search = Readonly<{ wholePieces: boolean }>;

/** Where values stand in a text, whatever their spelling. The cost is the length of both, whatever they hold. */
export function findValues(text: string, values: readonly string[], { wholePieces }: Search): Span[] {
  const needles = values
    .filter((value) => value.length <= text.length * mostSpelling)
    .flatMap(spellingsOf)
    .filter(({ length }) => length > 0 && (wholePieces || length >= shortest.asWord));
  const spans: Span[] = [];
  if (needles.length === 0) return spans;
  let plain: PlainBytes | undefined = plainBytesOf(text, asBytes);
  for (let depth = 1; plain !== undefined && depth <= deepest; depth += 1) {
    for (const needle of needles) collect(needle, plain, spans);
    plain = decodeOnceMore(plain);
  }
  return spans;
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

function collect(needle: PlainBytes, text: PlainBytes, spans: Span[]): void {
  const mayStand =
    needle.length >= shortest.anywhere ? () => true : needle.length >= shortest.asWord ? isWord : isWholePiece;
  findBytes(needle, text, (start) => {
    const last = start + needle.length - 1;
    if (mayStand(text, start, last)) spans.push({ start: startOf(text, start), end: endOf(text, last) });
  });
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
