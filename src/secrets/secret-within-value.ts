import { formDecodeUnicode } from "../urls/form-decode.ts";
import type { CredentialNames } from "./credentials-of-schemes.ts";
import { decodeJsonEscapes } from "./json-escapes.ts";
import { looksSecretValue, mayLookSecret } from "./secret-names.ts";
import { holdsUserInfo } from "./user-info.ts";

// A URL in a URL in a URL: links of logins are like that.
const mostDecodings = 3;
const mayHold = /[%="'\\@]|:\/\/|^\/\//;
const mayHoldName = /[="']/;
// In a text in which names that are nearly those of secrets take more than this, the next one is taken for one, unseen.
const mostOfNearNames = 4_096;
const costOfName = 8;

const equals = 0x3d;
const colon = 0x3a;
const ampersand = 0x26;
const blank = 0x20;
const backslash = 0x5c;
const separators = unitsIn("&;?#{,/");
const quotes = unitsIn("\"'");
const whiteSpace = unitsIn(" \t\n\r");
const escapedWhiteSpace = unitsIn("tnr");

/**
 * Whether a value holds a secret within: behind a name that looks like one, as `name=value` or a member of JSON, or before
 * a host. It is read as it stands and decoded up to three times, as it may have been escaped wholly, in part, or not at all.
 */
export function holdsSecret(value: string, credentials: CredentialNames): boolean {
  if (!mayHold.test(value)) return false;
  return spellingsOf(value).some((text) => holdsSecretAsWritten(text, credentials));
}

/** The same of a text that is read only as it stands, but for the escapes of JSON. */
export function holdsSecretAsWritten(written: string, credentials: CredentialNames): boolean {
  const text = decodeJsonEscapes(written);
  return holdsSecretName(text, credentials) || holdsUserInfo(text);
}

/** A text as it stands, and decoded up to three times; `readJson` decodes the escapes of JSON in between. */
export function spellingsOf(value: string, readJson = decodeJsonEscapes): readonly string[] {
  const spellings = [value];
  for (let text = value; spellings.length <= mostDecodings;) {
    const read = readJson(text);
    text = read.includes("%") ? formDecodeUnicode(read) : read;
    if (text === read) break;
    spellings.push(text);
  }
  return spellings;
}

/** A loop, as no expression finds every name before every sign in linear time. */
function holdsSecretName(text: string, credentials: CredentialNames): boolean {
  if (!mayHoldName.test(text)) return false;
  let start = 0;
  let nearNames = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === equals) {
      const end = endOfSigns(text, at);
      if (isFilled(text, end) && isSecret(text.slice(start, at))) return true;
      at = end - 1;
      start = end;
    } else if (quotes[unit] === 1) {
      const sign = endOfWhiteSpace(text, at + 1);
      if (text.charCodeAt(sign) !== colon) continue;
      // A name may hold separators, and quotes, too.
      if (isSecret(nameBeforeQuote(text, at)) || isSecret(text.slice(start, at))) return true;
      at = sign;
      start = sign + 1;
    } else if (unit === blank) {
      const end = endOfBlanks(text, at);
      const next = text.charCodeAt(end);
      // Blanks between a name and its sign do not part them.
      if (next !== equals && next !== colon) start = end;
      at = end - 1;
    } else if (separators[unit] === 1) start = at + 1;
  }
  return false;

  function isSecret(name: string): boolean {
    if (mayLookSecret(name)) nearNames += costOfName + name.length;
    return nearNames > mostOfNearNames || looksSecretValue(name, credentials);
  }
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

function endOfBlanks(text: string, start: number): number {
  let end = start;
  while (whiteSpace[text.charCodeAt(end)] === 1) end += 1;
  return end;
}

/** White space of JSON may be as long as somebody likes, and in JSON within JSON is written with backslashes. */
function endOfWhiteSpace(text: string, start: number): number {
  let end = start;
  for (;;) {
    const unit = text.charCodeAt(end);
    if (unit === backslash) end += escapedWhiteSpace[text.charCodeAt(end + 1)] === 1 ? 2 : 1;
    else if (whiteSpace[unit] === 1) end += 1;
    else return end;
  }
}

/** The name of a member ends with a quote, and with the backslashes before it where the JSON is within JSON. */
function nameBeforeQuote(text: string, quote: number): string {
  const start = text.lastIndexOf(text[quote]!, quote - 1) + 1;
  let end = quote;
  while (text.charCodeAt(end - 1) === backslash) end -= 1;
  return text.slice(start, end);
}

function unitsIn(characters: string): Uint8Array {
  const table = new Uint8Array(128);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}
