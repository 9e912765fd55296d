import { foldCase } from "./fold-case.ts";

/**
 * A text in the form in which it is compared. A percent-encoded byte is one character of it, so no literal is found, and
 * no value cut, in the middle of an escape.
 */
export type ComparedText = Readonly<{
  text: string;
  /** Where each character begins in the original, and where that ends; undefined where the two run in step. */
  offsets: readonly number[] | undefined;
}>;

type ToCharacter = (unit: string) => string;

const unit = /%[\da-f]{2}|[^]/gi;
// The private use area: a percent-encoded slash is no slash, and has no case.
const firstEscapeCharacter = 0xe000;

/** A normalised path, for comparing. */
export function comparePath(path: string, caseSensitive: boolean): ComparedText {
  if (!path.includes("%")) return { text: foldCase(path, caseSensitive), offsets: undefined };
  return compareUnits(path, caseSensitive, (escape) => String.fromCharCode(firstEscapeCharacter + byteOf(escape)));
}

/** A raw value of a query, for comparing byte by byte as forms decode it. */
export function compareQueryValue(raw: string, caseSensitive: boolean): ComparedText {
  return compareUnits(raw.replaceAll("+", " "), caseSensitive, (escape) => String.fromCharCode(byteOf(escape)));
}

/** The stretch of the original that stands at these positions of its compared form. */
export function cutOriginal(original: string, { offsets }: ComparedText, start: number, end: number): string {
  return offsets === undefined ? original.slice(start, end) : original.slice(offsets[start], offsets[end]);
}

function compareUnits(text: string, caseSensitive: boolean, toCharacter: ToCharacter): ComparedText {
  const units = [...text.matchAll(unit)];
  const characters = units.map(([found]) => (found.length === 1 ? found : toCharacter(found))).join("");
  return { text: foldCase(characters, caseSensitive), offsets: [...units.map(({ index }) => index), text.length] };
}

function byteOf(escape: string): number {
  return Number.parseInt(escape.slice(1), 16);
}
