import { writeJson } from "./write-json.ts";

// Each character may become three bytes of UTF-8 with three characters each, and short names come again and again.
const perCharacter = 16;
const alwaysWritten = 1_048_576;

/**
 * Writes nested values as the usual parsers read them back: `a[b]=1`, repeats for a list, `c[]=2` for a list of one. A name
 * stands in front of each of its values: what came as JSON could so become thousands of times as long as it was, and is a
 * RangeError.
 */
export function writeForm(form: object, toldLength = 0): string {
  const most = alwaysWritten + perCharacter * Math.max(toldLength, textLength(form));
  let written = "";
  for (const [name, value] of Object.entries(form)) write(formEncode(name), value);
  return written;

  function write(name: string, value: unknown): void {
    if (typeof value !== "object" || value === null) writePair(name, formText(value));
    else if (isListOfTexts(value)) for (const item of value) write(value.length === 1 ? `${name}%5B%5D` : name, item);
    else for (const [key, member] of Object.entries(value)) write(`${name}%5B${formEncode(key)}%5D`, member);
  }

  function writePair(name: string, text: string): void {
    written += `${written === "" ? "" : "&"}${name}=${formEncode(text)}`;
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

function formEncode(text: string): string {
  return new URLSearchParams([["", text]]).toString().slice(1);
}
