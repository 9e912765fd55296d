import { escapedByte } from "../urls/form-decode.ts";

const backslash = "\\";
const smallU = 0x75;
const lowerCase = 0x20;
const lengthOfEscape = 6;
const bitsOfByte = 8;

/** A text in which characters stand themselves that JSON has escaped by their numbers. */
export function decodeJsonEscapes(text: string): string {
  let decoded = "";
  let from = 0;
  for (let at = text.indexOf(backslash); at !== -1; at = text.indexOf(backslash, Math.max(from, at + 1))) {
    const unit = unitOfEscape(text, at);
    if (unit < 0) continue;
    decoded += text.slice(from, at) + String.fromCharCode(unit);
    from = at + lengthOfEscape;
  }
  return from === 0 ? text : decoded + text.slice(from);
}

/** The number that an escape gives which begins at a backslash; below zero where none does. */
function unitOfEscape(text: string, start: number): number {
  if ((text.charCodeAt(start + 1) | lowerCase) !== smallU) return -1;
  const high = escapedByte(text.charCodeAt(start + 2), text.charCodeAt(start + 3));
  const low = escapedByte(text.charCodeAt(start + 4), text.charCodeAt(start + 5));
  return Math.min(high, low) < 0 ? -1 : (high << bitsOfByte) | low;
}
