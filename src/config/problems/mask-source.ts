import { namingParameters } from "../../discovery/naming-parameters.ts";
import { isJsonWithSecret } from "../../secrets/mask-metadata.ts";
import { maskSpans } from "../../secrets/spans.ts";
import { portInConfiguration, variablePassword } from "../../secrets/user-info.ts";
import type { Steps } from "../../time-slices.ts";
import { meantBy, tokensOf } from "../../json/source-tokens.ts";
import { wrappedLine } from "./broken-values.ts";
import { findByNames, findInBrokenLines } from "./find-in-broken-lines.ts";
import { type Judged, judgedWhole, judgeMember, judgeWithin } from "./secret-by-place.ts";
import { maskDefaults } from "./secret-defaults.ts";
import { maskUrl, maskWords } from "./mask-url.ts";
import { mayShow } from "./secret-keys.ts";

// The engine remembers each turn of such a loop, and fails where there are millions.
const often = "{0,9999}";
// Characters that may go on in the next lines.
const wrapped = (characters: string): string =>
  String.raw`${characters}*(?:${wrappedLine}[^\S\n]*${characters}*)${often}`;

// The value of a parameter in a text that cannot be read: a quote that somebody forgot to escape ends neither name nor value.
const brokenValues = new RegExp(
  [
    String.raw`(?<=[?&](?!(?:${namingParameters.join("|")})=)${wrapped(String.raw`[^=&\s]`)}=)`,
    String.raw`(?!\{[^{}"]*\}(?:[&"#]|$))`,
    String.raw`[^&"\n]*(?:(?:${wrappedLine}|"(?!\s*(?:,\s*(?:["[{]|$)|[:}\]]|$)))[^&"\n]*)${often}`,
  ].join(""),
  "gm",
);
// What stands behind a sign that was typed for the one before such a value, or before the default of a variable.
const brokenSigns = /(?<=[?&][^=&\s"?]*["\n])\w[^&"\n]*|(?<=\$\{\w+:?["\\\n])-?\w[^"\n]*/g;
// A name and a password before a host there, either of them without the other, too, and a password behind which no host is told.
const brokenUserInfo = new RegExp(
  [
    String.raw`(?<=[/"])(?!${variablePassword})[^/"\s:]*:${wrapped(String.raw`[^/"\s]`)}(?=@)`,
    String.raw`(?<=[:"]\/\/)[^/?#"\s:[\]{}]*:(?!${portInConfiguration})${wrapped(String.raw`[^"\s]`)}`,
    String.raw`(?<=[:"]\/\/)${wrapped(String.raw`[^/"@\s:]`)}(?=@)`,
  ].join("|"),
  "g",
);

const words = /[^\s"/][^\s"]*/g;

/** An object or a list that is open: what is known of all in it, and of the value that comes next. */
type Level = { readonly isObject: boolean; readonly all: Judged; next: Judged; isNamed: boolean };

/** Where the scan of a configuration is: what is open, and the text that may be the name of a member. */
type Scan = Readonly<{ levels: Level[] }> & { text: string | undefined };

const longestStep = 256;

/** A configuration as it may be shown. Secrets become as many asterisks, so that columns stay true. */
export function* maskSource(text: string): Steps<string> {
  const broken = yield* findInBrokenLines(text);
  if (broken === undefined) return yield* maskTokens(text);
  // Where brackets are missing it is unknown what stands in which object.
  const masked = maskSpans(yield* maskTokens(text, {}), broken, visibleAsterisks);
  // A template may have lost a quote.
  return [brokenValues, brokenSigns, brokenUserInfo].reduce(
    (shown, pattern) => shown.replaceAll(pattern, visibleAsterisks),
    masked,
  );
}

/** The same for the tokens alone. */
export function* maskTokens(text: string, whole = judgedWhole): Steps<string> {
  const scan: Scan = { levels: [openedLevel(whole, false)], text: undefined };
  const parts: string[] = [];
  let end = 0;
  let count = 0;
  for (const { token, index } of tokensOf(text)) {
    count += 1;
    if (count % longestStep === 0) yield;
    const masked = maskToken(token, scan);
    if (masked === token) continue;
    parts.push(text.slice(end, index), masked);
    end = index + token.length;
  }
  parts.push(text.slice(end));
  return parts.join("");
}

function openedLevel(all: Judged, isObject: boolean): Level {
  return { isObject, all, next: all, isNamed: false };
}

function maskComment(token: string): string {
  const named = findByNames(token, { start: 0, end: token.length });
  return maskSpans(token, named, visibleAsterisks).replaceAll(words, (word) => maskWords(word, visibleAsterisks));
}

function maskToken(token: string, scan: Scan): string {
  const level = scan.levels.at(-1)!;
  if (token.startsWith("/")) return maskComment(token);
  if (token === ":") {
    if (scan.text !== undefined) level.next = judgeMember(level.all, scan.text);
    return token;
  }
  const { next } = level;
  level.next = level.all;
  if (token === "{" || token === "[") scan.levels.push(openedLevel(judgeWithin(next, token), token === "{"));
  else if (token === ",") level.isNamed = false;
  else if (token !== "}" && token !== "]") return maskScalar(token, next, scan);
  else if (scan.levels.length > 1 && level.isObject === (token === "}")) scan.levels.pop();
  return token;
}

/** The name of a member, or a value that is neither an object nor a list. */
function maskScalar(token: string, { secret, mayBeApiKey }: Judged, scan: Scan): string {
  const level = scan.levels.at(-1)!;
  const isText = token.startsWith('"');
  const isName = isText && level.isObject && !level.isNamed;
  scan.text = isText ? meantBy(token) : undefined;
  level.isNamed = true;
  if (mayBeApiKey === true && !isName) return maskValue(token);
  if (secret !== undefined && !mayShow(secret, token)) return maskValue(token);
  return isText ? maskTemplate(token) : token;
}

function maskValue(token: string): string {
  if (/^(null|true|false)$/.test(token)) return token;
  return token.startsWith('"') ? `"${asterisks(token.slice(1, -1))}"` : asterisks(token);
}

/** Where characters are escaped, it is unknown which of them belong to a value: then all of the text is masked. */
function maskTemplate(token: string): string {
  const meant = meantBy(token);
  if (isJsonWithSecret(meant) || isBrokenJsonWithSecret(meant)) return maskValue(token);
  const shown = maskUrl(maskDefaults(meant, asterisks), asterisks);
  if (shown === meant) return token;
  return `"${token.length === meant.length + 2 ? shown : asterisks(token.slice(1, -1))}"`;
}

// A template has braces, too, but no quotes.
const mayBeBrokenJson = /^\s*[{[].*["']/s;

function isBrokenJsonWithSecret(text: string): boolean {
  return mayBeBrokenJson.test(text) && findByNames(text, { start: 0, end: text.length }).length > 0;
}

function visibleAsterisks(text: string): string {
  return text.replaceAll(/\S/g, "*");
}

function asterisks(text: string): string {
  return "*".repeat(text.length);
}
