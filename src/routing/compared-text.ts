import { escapedByte } from "../urls/form-decode.ts";
import { ignoreCase } from "./ignore-case.ts";

/**
 * A text in the form in which it is compared. A percent-encoded byte is one character of it, so no literal is found, and
 * no value cut, in the middle of an escape.
 */
export type ComparedText = Readonly<{
  text: string;
  /** Where each character begins in the original, and where that ends; undefined where the two run in step. */
  offsets: readonly number[] | undefined;
}>;

type ToCharacter = (byte: number) => string;

const escapeLength = 3;
// The private use area: a percent-encoded slash is no slash, and has no case.
const firstEscapeCharacter = 0xe000;

/** A normalised path, for comparing. */
export function comparePath(path: string, caseSensitive: boolean): ComparedText {
  if (!path.includes("%")) return { text: ignoreCase(path, caseSensitive), offsets: undefined };
  return compareUnits(path, caseSensitive, (byte) => String.fromCharCode(firstEscapeCharacter + byte));
}

/** A raw value of a query, for comparing byte by byte as forms decode it. */
export function compareQueryValue(raw: string, caseSensitive: boolean): ComparedText {
  return compareUnits(raw.replaceAll("+", " "), caseSensitive, (byte) => String.fromCharCode(byte));
}

/** The stretch of the original that stands at these positions of its compared form. */
export function cutOriginal(original: string, { offsets }: ComparedText, start: number, end: number): string {
  return offsets === undefined ? original.slice(start, end) : original.slice(offsets[start], offsets[end]);
}

/** A loop, as an object for each character would cost a hundred times as much. */
function compareUnits(text: string, caseSensitive: boolean, toCharacter: ToCharacter): ComparedText {
  const offsets: number[] = [];
  let characters = "";
  for (let index = 0; index < text.length; index += 1) {
    offsets.push(index);
    const byte = text[index] === "%" ? escapedByte(text.charCodeAt(index + 1), text.charCodeAt(index + 2)) : -1;
    characters += byte === -1 ? text[index]! : toCharacter(byte);
    if (byte !== -1) index += escapeLength - 1;
  }
  offsets.push(text.length);
  return { text: ignoreCase(characters, caseSensitive), offsets };
}
