import { findFormOfLength } from "./find-form-of-length.ts";
import { type EncodeText, escapesLost, formEncode, formEncodeUnread, holdsEscapedReplacement } from "./form-escapes.ts";
import { refuseBracketsInNames } from "./form-names.ts";
import { type Head, readSentLength } from "./sent-length.ts";
import { writeJson } from "./write-json.ts";

// Each character may become three bytes of UTF-8 with three characters each, and short names come again and again.
const perCharacter = 16;
const alwaysWritten = 1_048_576;

// No sign is longer than three where it is escaped.
const perSentByte = 3;

// Of longer forms no other spellings are tried: each is as much work as all that a parser does.
const longestGuessed = 131_072;

/** What stands behind the name of a list, in front of one of its texts. */
type SpellItem = (index: number) => string;

const repeat: SpellItem = () => "";
const putBrackets: SpellItem = () => "%5B%5D";
const putNumbers: SpellItem = (index) => `%5B${index}%5D`;

/** How a form is written, and how long it may become. */
type Writing = Readonly<{ spell: SpellItem; encode: EncodeText; most: number }>;

/**
 * Writes nested values as the usual parsers read them back: `a[b]=1`, and lists in the spelling that makes the form as long as
 * what the client has sent, as do escapes that the parser has left. Where that is unknown, or none does, names repeat, or have
 * brackets where a list of one, which is none without them, shows that the client writes them.
 */
export function writeForm(form: object, head: Head): string {
  refuseBracketsInNames(form);
  const told = head.framing.kind === "length" ? head.framing.length : 0;
  const most = alwaysWritten + perCharacter * Math.max(told, textLength(form));
  const spells = hasListOfOne(form) ? [putBrackets] : [repeat, putBrackets];
  const write = (spell: SpellItem, encode = formEncode): string => writeSpelt(form, { spell, encode, most });
  const written = write(spells[0]!);
  const sent = readSentLength(head);
  if (sent === written.length) return written;
  if (holdsEscapedReplacement(written)) throw escapesLost();
  if (sent === undefined || written.length > perSentByte * sent || written.length > longestGuessed) return written;
  const asLeft = write(spells[0]!, formEncodeUnread);
  if (sent === asLeft.length) return asLeft;
  const found = find(formEncode);
  if (asLeft === written) return found ?? written;
  const foundAsLeft = find(formEncodeUnread);
  // Another way to write lists may be as long as another way to write escapes.
  if ((found === undefined) === (foundAsLeft === undefined)) throw escapesLost();
  return (found ?? foundAsLeft)!;

  function find(encode: EncodeText): string | undefined {
    const usual = spells.map((spell) => write(spell, encode));
    return findFormOfLength(usual, sent!) ?? findFormOfLength([write(putNumbers, encode)], sent!);
  }
}

function hasListOfOne(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return isListOfTexts(value) ? value.length === 1 : Object.values(value).some(hasListOfOne);
}

/**
 * A name stands in front of each of its values: what came as JSON could so become thousands of times as long as it was, and is
 * a RangeError.
 */
function writeSpelt(form: object, { spell, encode, most }: Writing): string {
  let written = "";
  for (const [name, value] of Object.entries(form)) write(encode(name), value);
  return written;

  function write(name: string, value: unknown): void {
    if (typeof value !== "object" || value === null) writePair(name, formText(value));
    else if (isListOfTexts(value)) for (const [index, item] of value.entries()) write(name + spell(index), item);
    else for (const [key, member] of Object.entries(value)) write(`${name}%5B${encode(key)}%5D`, member);
  }

  function writePair(name: string, text: string): void {
    written += `${written === "" ? "" : "&"}${name}=${encode(text)}`;
    if (written.length > most) throw new RangeError("The form is many times as long as what it was read from.");
  }
}

/** How many characters names and values have, each counted once. */
function textLength(value: unknown): number {
  if (typeof value !== "object" || value === null) return formText(value).length + 1;
  let length = 1;
  for (const [key, member] of Object.entries(value))
    length += (Array.isArray(value) ? 0 : key.length) + textLength(member);
  return length;
}

function formText(value: unknown): string {
  return typeof value === "string" ? value : value === null || value === undefined ? "" : (writeJson(value) ?? "");
}

function isListOfTexts(value: object): value is unknown[] {
  return Array.isArray(value) && value.every((item) => typeof item !== "object");
}
