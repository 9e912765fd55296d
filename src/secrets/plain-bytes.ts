import { escapedByte } from "../urls/form-decode.ts";

/** A text in the form in which values are compared: bytes, escapes decoded, letters in lower case, `+` as a blank. */
export type PlainBytes = Readonly<{
  isQuoting: boolean;
  length: number;
  bytes: Uint8Array;
  /** Where in the text each byte begins and ends; undefined where the two run in step. */
  places: Places | undefined;
}>;

type Places = Readonly<{ starts: Uint32Array; ends: Uint32Array }>;

/** What a character beyond ASCII stands for: a byte as it came from a client, or the bytes of UTF-8. */
type Encoding = "latin1" | "utf8";

/** How a text is read; in one that may quote others as JSON does, the backslashes before quotes say nothing. */
export type Reading = Readonly<{ encoding: Encoding; isQuoting: boolean }>;

type Writer = { -readonly [Member in keyof PlainBytes]: PlainBytes[Member] } & { places: Places };

const percent = 0x25;
const plus = 0x2b;
const blank = 0x20;
const backslash = 0x5c;
const mostBytesOfUnit = 3;
const readAsWritten = /^[\0-$&-*,-[\]-\x7f]*$/;

/** Reads a text into its plain form; escapes are decoded once. */
export function plainBytesOf(text: string, { encoding, isQuoting }: Reading): PlainBytes {
  if (readAsWritten.test(text)) {
    const bytes = Buffer.from(text.toLowerCase(), "latin1");
    return { isQuoting, length: bytes.length, bytes, places: undefined };
  }
  const written = createWriter(text.length * mostBytesOfUnit, isQuoting);
  const firstOfMany = encoding === "latin1" ? 0x100 : 0x80;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const escaped = unit === percent ? escapedByte(text.charCodeAt(at + 1), text.charCodeAt(at + 2)) : -1;
    if (escaped !== -1) {
      write(written, escaped, at, at + 3);
      at += 2;
    } else if (unit < firstOfMany) write(written, unit, at, at + 1);
    else at += writeUtf8(written, text.codePointAt(at)!, at);
  }
  return written;
}

/** Decodes once more what was escaped twice; undefined where nothing was. */
export function decodeOnceMore(plain: PlainBytes): PlainBytes | undefined {
  const { bytes, length } = plain;
  const first = bytes.indexOf(percent);
  if (first === -1 || first >= length) return undefined;
  const written = createWriter(length, plain.isQuoting);
  for (let at = 0; at < length; at += 1) {
    const escaped = bytes[at] === percent && at + 2 < length ? escapedByte(bytes[at + 1]!, bytes[at + 2]!) : -1;
    const start = startOf(plain, at);
    if (escaped !== -1) at += 2;
    write(written, escaped === -1 ? bytes[at]! : escaped, start, endOf(plain, at));
  }
  return written.length === length ? undefined : written;
}

/** Where a byte begins in the text. */
export function startOf({ places }: PlainBytes, at: number): number {
  return places === undefined ? at : places.starts[at]!;
}

/** Where a byte ends in the text. */
export function endOf({ places }: PlainBytes, at: number): number {
  return places === undefined ? at + 1 : places.ends[at]!;
}

function createWriter(size: number, isQuoting: boolean): Writer {
  const places = { starts: new Uint32Array(size), ends: new Uint32Array(size) };
  return { isQuoting, length: 0, bytes: new Uint8Array(size), places };
}

function write(written: Writer, byte: number, start: number, end: number): void {
  if (byte === backslash && written.isQuoting) return;
  const { length, bytes, places } = written;
  bytes[length] = byte === plus ? blank : byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
  places.starts[length] = start;
  places.ends[length] = end;
  written.length = length + 1;
}

/** Returns how many units more than one the character has. */
function writeUtf8(written: Writer, unit: number, start: number): number {
  const character = String.fromCodePoint(unit);
  const end = start + character.length;
  for (const byte of Buffer.from(character, "utf8")) write(written, byte, start, end);
  return character.length - 1;
}
