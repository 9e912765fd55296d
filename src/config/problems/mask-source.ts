import { namingParameters } from "../../discovery/naming-parameters.ts";
import type { Span } from "../../json/json-node.ts";
import { secretMask } from "../../secrets/secret-names.ts";
import type { Steps } from "../../time-slices.ts";
import { meantBy, tokensOf } from "../../json/source-tokens.ts";
import { findByNames, findInBrokenLines } from "./find-in-broken-lines.ts";
import { type Judged, judgedWhole, judgeMember, judgeWithin } from "./secret-by-place.ts";
import { maskDefaults } from "./secret-defaults.ts";
import { mayShow } from "./secret-keys.ts";

// The value of a parameter in a template, unless it is nothing but a placeholder, or where the naming service reads it.
const literalValues = new RegExp(
  `(?<=[?&](?!(?:${namingParameters.join("|")})=)[^=&"\\s]*=)(?!\\{[^{}"]*\\}(?:[&"#]|$))[^&"]+`,
  "g",
);
// The same in a text that cannot be read: a quote that somebody forgot to escape ends neither the name nor the value.
const brokenValues = new RegExp(
  `(?<=[?&](?!(?:${namingParameters.join("|")})=)[^=&\\s]*=)(?!\\{[^{}"]*\\}(?:[&"#]|$))(?:[^&"\\n]|"(?!\\s*(?:,\\s*(?:["[{]|$)|[:}\\]]|$)))+`,
  "gm",
);
// A name and a password before a host, either of them without the other, too; where a variable is written, it stays.
const credentials = /(?<=[/"])(?!:\$\{\w+\}@)[^/"@\s:]*:[^/"\s]+(?=@)|(?<=:\/\/)[^/"@\s:]+(?=@)/g;
// The same where a message has cut what it quotes before the host; a port is none.
const cutCredentials = /(?<=:\/\/)[^/"@\s:]*:(?!\d{0,5}…)[^/"@\s]+(?=…")/g;

/** A message about a configuration as it may be shown: literal values of parameters in the templates it quotes are `***`. */
export function maskMessage(message: string): string {
  const shown = message.replaceAll(literalValues, secretMask).replaceAll(credentials, secretMask);
  return shown.replaceAll(cutCredentials, secretMask);
}

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
  const masked = maskSpans(yield* maskTokens(text, {}), broken);
  // A template may have lost a quote.
  return masked.replaceAll(brokenValues, visibleAsterisks).replaceAll(credentials, visibleAsterisks);
}

function maskSpans(text: string, spans: readonly Span[]): string {
  const parts: string[] = [];
  let end = 0;
  for (const span of spans) {
    parts.push(text.slice(end, span.start), visibleAsterisks(text.slice(span.start, span.end)));
    end = span.end;
  }
  return parts.join("") + text.slice(end);
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

function maskToken(token: string, scan: Scan): string {
  const level = scan.levels.at(-1)!;
  if (token.startsWith("/")) return maskSpans(token, findByNames(token, { start: 0, end: token.length }));
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
  const shown = maskDefaults(meant, asterisks);
  if (token.length === meant.length + 2)
    return `"${shown}"`.replaceAll(literalValues, asterisks).replaceAll(credentials, asterisks);
  return meant === maskMessage(shown) ? token : `"${asterisks(token.slice(1, -1))}"`;
}

function visibleAsterisks(text: string): string {
  return text.replaceAll(/\S/g, "*");
}

function asterisks(text: string): string {
  return "*".repeat(text.length);
}
