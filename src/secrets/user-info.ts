import type { Span } from "./spans.ts";

const filler = "\x7f";
// JSON may escape slashes, and JSON within JSON the backslashes, too; browsers pass over control characters.
const slashes = String.raw`(?:[\0-\x1f\x7f]*\\{0,3}\/){2,}\x7f*`;
// What is filled in later is not known.
const variable = String.raw`:\$\{\w+\}@`;
const port = String.raw`(?:[\d\x7f]*|\x7f*\$?\{[^{}]*\})(?:$|[/?#"'…])|[\d\x7f]+[&,;\s\\<>()|}\]%]`;
// No server has an address with anything else than a port behind its colon: it is a password, whatever signs it holds.
const openPassword = String.raw`(?=[^\s/?#@&=:,;"'<>()[\]{}\\]*:(?!${port}))`;

const userInfo = patternOf("[^/?#]");
// In a query, such a name and password may hold an ampersand that begins no new parameter.
const userInfoInQuery = patternOf("(?:[^/?#&]|&(?![^&=@/?#]*=))");

const escaped = /%(?:25)*([\da-f]{2})/gi;
const at = /@|%(?:25)*40/;

function patternOf(character: string): RegExp {
  return new RegExp(`(?:^|:)${slashes}(?!${variable})(?:(${character}*)@|${openPassword})`, "g");
}

/** Whether a name or a password stands before a host. */
export function holdsUserInfo(text: string): boolean {
  return text.includes("@") && findBy(userInfo, text).length > 0;
}

/** Where names and passwords stand before hosts in a URL, whose path ends at `pathEnd`, and whose parameters may be URLs. */
export function findUserInfo(url: string, pathEnd: number): Span[] {
  if (!at.test(url)) return [];
  const spans = findInSpellings(userInfo, url.slice(0, pathEnd));
  return pathEnd === url.length ? spans : spans.concat(findInSpellings(userInfoInQuery, url));
}

/** The same in a text that may have lost the sign before the host: then a password goes on to the end of the text. */
export function findUserInfoOrRest(text: string): Span[] {
  return findInSpellings(userInfo, text, text.length);
}

function findInSpellings(pattern: RegExp, text: string, endOfLost?: number): Span[] {
  const spans = findBy(pattern, text, endOfLost);
  return text.includes("%") ? spans.concat(findBy(pattern, decodeInPlace(text), endOfLost)) : spans;
}

/** A text of the same length with its escapes decoded, however many times over they were escaped. */
function decodeInPlace(text: string): string {
  return text.replace(escaped, (escape, digits: string) => {
    return String.fromCharCode(Number.parseInt(digits, 16)).padEnd(escape.length, filler);
  });
}

/** A password with signs that were not escaped goes on to the last sign that may stand before the host. */
function findBy(pattern: RegExp, text: string, endOfLost = -1): Span[] {
  const spans: Span[] = [];
  const last = text.lastIndexOf("@");
  let end = 0;
  for (const { index, 0: found, 1: info } of text.matchAll(pattern)) {
    const start = index + found.length - (info === undefined ? 0 : info.length + 1);
    if (start < end) continue;
    if (info === undefined) end = last > start ? last : endOfLost;
    else end = start + info.length;
    if (end > start) spans.push({ start, end });
  }
  return spans;
}
