import type { TemplatePart } from "../templates/template.ts";
import { endOf, type PlainBytes, plainBytesOf, type Reading, startOf } from "./plain-bytes.ts";
import type { Span } from "./spans.ts";

/** Where the value of a placeholder stands in a text. */
type PlacedValue = Readonly<{ name: string; span: Span }>;

/**
 * The parts of a template in turn: of each, where it ends when it begins at a place; undefined where it does not stand
 * there. A part that is undefined is unknown.
 */
type EndOfPart = (part: string | undefined, at: number) => number | undefined;

/** A template, and what its placeholders stand for; of an unknown value it is known that it is within one segment. */
type Filled = Readonly<{ parts: readonly TemplatePart[]; valueOf: (name: string) => string | undefined }>;

const asBytes: Reading = { encoding: "latin1", isQuoting: false };
const asText: Reading = { encoding: "utf8", isQuoting: false };
const slash = "/".charCodeAt(0);

/**
 * Finds the values in a filled template by the order of its parts; undefined where the text is no filling of the
 * template.
 */
export function alignTemplate(filled: Filled, text: string): readonly PlacedValue[] | undefined {
  return alignAsWritten(filled, text) ?? alignSpellings(filled, text);
}

/** Most clients escape nothing without need. */
function alignAsWritten(filled: Filled, text: string): readonly PlacedValue[] | undefined {
  const found = placeParts(filled, (part, at) => {
    if (part === undefined) return endOfSegment(text.indexOf("/", at), text.length);
    return text.startsWith(part, at) ? at + part.length : undefined;
  });
  if (found === undefined) return undefined;
  return found.end === text.length || (found.end === text.length - 1 && text.endsWith("/")) ? found.values : undefined;
}

function alignSpellings(filled: Filled, text: string): readonly PlacedValue[] | undefined {
  const whole = plainBytesOf(text, asBytes);
  const found = placeParts(filled, (part, at) => endIn(whole, at, part));
  if (found === undefined || !isAtEnd(whole, found.end)) return undefined;
  return found.values.map(({ name, span: { start, end } }) => {
    const span = start === end ? { start: 0, end: 0 } : { start: startOf(whole, start), end: endOf(whole, end - 1) };
    return { name, span };
  });
}

function placeParts(
  { parts, valueOf }: Filled,
  endOfPart: EndOfPart,
): Readonly<{ values: readonly PlacedValue[]; end: number }> | undefined {
  const values: PlacedValue[] = [];
  let at = 0;
  for (const part of parts) {
    const end = endOfPart(typeof part === "string" ? part : valueOf(part.placeholder), at);
    if (end === undefined) return undefined;
    if (typeof part === "object") values.push({ name: part.placeholder, span: { start: at, end } });
    at = end;
  }
  return { values, end: at };
}

function endIn(whole: PlainBytes, at: number, part: string | undefined): number | undefined {
  if (part === undefined) return endOfSegment(whole.bytes.subarray(0, whole.length).indexOf(slash, at), whole.length);
  const bytes = plainBytesOf(part, asBytes);
  if (standsAt(at, whole, bytes)) return at + bytes.length;
  const text = plainBytesOf(part, asText);
  return standsAt(at, whole, text) ? at + text.length : undefined;
}

function endOfSegment(slashAt: number, length: number): number {
  return slashAt === -1 ? length : slashAt;
}

function standsAt(at: number, whole: PlainBytes, part: PlainBytes): boolean {
  if (at + part.length > whole.length) return false;
  for (let index = 0; index < part.length; index += 1) {
    if (whole.bytes[at + index] !== part.bytes[index]) return false;
  }
  return true;
}

/** A slash at the end is the client's choice, or left out where the last value is empty. */
function isAtEnd({ bytes, length }: PlainBytes, at: number): boolean {
  return at === length || (at === length - 1 && bytes[at] === slash);
}
