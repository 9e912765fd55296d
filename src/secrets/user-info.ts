import { decodeAllEscapes } from "./decode-all-escapes.ts";
import type { Span } from "./spans.ts";

// JSON may escape slashes, and JSON within JSON the backslashes, too; browsers pass over control characters.
const slashes = String.raw`(?:[\0-\x1f\x7f]*\\{0,3}\/){2,}`;
/** What is filled in later, before a host, is not known. */
export const variablePassword = String.raw`:\$\{\w+\}@`;
// What has more digits is no port, nor is what holds another sign.
const port = String.raw`(?:\d{0,5}|\$?\{[^{}]*\})(?:$|[/?#"'…])|\d{1,5}[&,;\s\\<>()|}\]%]`;
const signInWord = String.raw`(?:[^\s":]|:(?![\0-\x1f\x7f\\/]))*[^\s"/@]@`;
const restOfPassword = String.raw`\d+[&,;](?!$|[\s"']|[\w.+-]*[=:])`;
/** In a configuration, digits are no port before a sign in the same word, nor where a list goes on with no address. */
export const portInConfiguration = `(?!${signInWord}|${restOfPassword})(?:${port})`;

const knownScheme = "(?:https?|wss?|ftp|rediss?|amqps?):";
// Browsers read a name and a password behind a known scheme, whichever slashes are missing or written as backslashes.
const otherSlashes = String.raw`(?<![\w+.-])${knownScheme}(?!${slashes})[\0-\x1f\x7f\\/]*(?=[^\s\\/?#@"'<>+%])`;

const plainName = String.raw`[^\s/?#@&=:,;"'<>()[\]{}\\]*`;
// A name with separators, unless they part what stands in a list, in JSON or in a query.
const nameWithSeparators = String.raw`(?:[^\s/?#@&:,;"'<>()[\]{}\\]|[,;'()](?=[\w:()])|&(?![^&=@/?#]*=))*`;

const userInfo = patternOf("[^/?#]");
// In a query, such a name and password may hold an ampersand that begins no new parameter.
const userInfoInQuery = patternOf("(?:[^/?#&]|&(?![^&=@/?#]*=))");
const userInfoInConfiguration = patternOf("[^/?#]", portInConfiguration);

// A host stands behind slashes or behind a known scheme.
const mayBeginHost = new RegExp(String.raw`(?:^|:)[\0-\x1f\x7f\\]*\/|${knownScheme}`, "i");

const at = /@|%(?:25)*40/;

/**
 * No server has an address with anything else than a port behind its colon: it is a password, whatever signs it holds. What
 * stands before an earlier sign is then a part of the name, such as an e-mail address.
 */
function patternOf(character: string, noPassword = port): RegExp {
  const password = `:(?!${noPassword})`;
  const openPassword = `(?=${nameWithSeparators}${password})()(?:(?=${plainName}${password})()|)`;
  const behindSlashes = `(?:^|:)${slashes}(?!${variablePassword})(?:(${character}*)@)?(?:${openPassword}|)`;
  const behindOthers = String.raw`${otherSlashes}((?:(?![\s\\"'<>\0-\x1f\x7f]|${knownScheme})${character})*)@`;
  return new RegExp(`${behindSlashes}|${behindOthers}`, "gi");
}

/** Whether a name or a password stands before a host. */
export function holdsUserInfo(text: string): boolean {
  return text.includes("@") && mayBeginHost.test(text) && findBy(userInfo, text).length > 0;
}

/** Where names and passwords stand before hosts in a URL, whose path ends at `pathEnd`, and whose parameters may be URLs. */
export function findUserInfo(url: string, pathEnd: number): Span[] {
  if (!at.test(url)) return [];
  const spans = findInSpellings(userInfo, url.slice(0, pathEnd));
  return pathEnd === url.length ? spans : spans.concat(findInSpellings(userInfoInQuery, url));
}

/**
 * The same in a text of a configuration, which may have lost the sign before the host: then a password goes on to the end
 * of the text.
 */
export function findUserInfoOrRest(text: string): Span[] {
  return findInSpellings(userInfoInConfiguration, text, true);
}

function findInSpellings(pattern: RegExp, text: string, mayGoOn = false): Span[] {
  const spans = findBy(pattern, text, mayGoOn);
  if (!text.includes("%")) return spans;
  const { text: decoded, starts } = decodeAllEscapes(text);
  const moved = findBy(pattern, decoded, mayGoOn).map(({ start, end }) => ({
    start: starts[start]!,
    end: starts[end]!,
  }));
  return spans.concat(moved);
}

/** A password with signs that were not escaped goes on to the last sign that may stand before the host. */
function findBy(pattern: RegExp, text: string, mayGoOn = false): Span[] {
  const spans: Span[] = [];
  const last = text.lastIndexOf("@");
  let end = 0;
  // To its end, the loop leaves the pattern as it was; a copy of it, as others make, costs more than most texts do.
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const { 0: found, 1: behindSlashes, 2: openPassword, 3: behindPlainName, 4: info = behindSlashes } = match;
    const nameEnd = match.index + found.length;
    const start = info === undefined ? nameEnd : nameEnd - info.length - 1;
    if (start < end) continue;
    if (openPassword !== undefined && last >= nameEnd) end = last;
    else if (behindPlainName !== undefined && mayGoOn) end = text.length;
    else end = info === undefined ? start : nameEnd - 1;
    if (end > start) spans.push({ start, end });
  }
  return spans;
}
