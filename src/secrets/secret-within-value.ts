import { formDecodeUnicode } from "../urls/form-decode.ts";
import type { CredentialNames } from "./credentials-of-schemes.ts";
import { looksSecretValue } from "./secret-names.ts";
import { holdsUserInfo } from "./user-info.ts";

// A URL in a URL in a URL: links of logins are like that.
export const mostDecodings = 3;
const mayHold = /[%="']|:\/\//;
const mayHoldName = /[="']/;

const equals = 0x3d;
const colon = 0x3a;
const ampersand = 0x26;
const separators = unitsIn("&;?#{[,/ ");
const quotes = unitsIn("\"'");
const besideColon = unitsIn(" \\");

/**
 * Whether a value holds a secret within: behind a name that looks like one, as `name=value` or a member of JSON, or before
 * a host. It is read as it stands and decoded up to three times, as it may have been escaped wholly, in part, or not at all.
 */
export function holdsSecret(value: string, credentials: CredentialNames): boolean {
  if (!mayHold.test(value)) return false;
  let text = value;
  for (let decodings = 0; !holdsSecretName(text, credentials) && !holdsUserInfo(text); decodings += 1) {
    if (decodings === mostDecodings || !text.includes("%")) return false;
    const decoded = formDecodeUnicode(text);
    if (decoded === text) return false;
    text = decoded;
  }
  return true;
}

/** A loop, as no expression finds every name before every sign in linear time. */
function holdsSecretName(text: string, credentials: CredentialNames): boolean {
  if (!mayHoldName.test(text)) return false;
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === equals) {
      const end = endOfSigns(text, at);
      if (isFilled(text, end) && looksSecretValue(text.slice(start, at), credentials)) return true;
      at = end - 1;
      start = end;
    } else if (unit === colon && isBehindQuote(text, at)) {
      if (looksSecretValue(text.slice(start, at), credentials)) return true;
      start = at + 1;
    } else if (separators[unit] === 1 && !isBeforeSign(text, at)) start = at + 1;
  }
  return false;
}

/** What ends in such signs with nothing behind them is no name: Base64 is filled up with them. */
function isFilled(text: string, end: number): boolean {
  return end < text.length && text.charCodeAt(end) !== ampersand;
}

function endOfSigns(text: string, start: number): number {
  let end = start;
  while (text.charCodeAt(end) === equals) end += 1;
  return end;
}

/** A blank between a name and its sign does not part them. */
function isBeforeSign(text: string, at: number): boolean {
  if (text[at] !== " ") return false;
  const next = text[at + 1];
  return next === "=" || next === ":";
}

function isBehindQuote(text: string, at: number): boolean {
  let before = at - 1;
  // JSON in JSON has backslashes there; a longer run is nobody's.
  while (before > at - 4 && besideColon[text.charCodeAt(before)] === 1) before -= 1;
  return quotes[text.charCodeAt(before)] === 1;
}

function unitsIn(characters: string): Uint8Array {
  const table = new Uint8Array(128);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}
