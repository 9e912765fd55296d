import { namingParameters } from "../../discovery/naming-parameters.ts";
import type { Span } from "../../json/json-node.ts";
import { secretMask } from "../../secrets/secret-names.ts";
import type { Steps } from "../../time-slices.ts";
import { meantBy, tokensOf } from "../../json/source-tokens.ts";
import { type ApiKeyList, scanApiKeys } from "./api-key-list.ts";
import { findByNames, findInBrokenLines } from "./find-in-broken-lines.ts";
import { mayShow, meantSecret } from "./secret-keys.ts";

// The value of a parameter in a template, unless it is nothing but a placeholder, or where the naming service reads it.
const literalValues = new RegExp(
  `(?<=[?&](?!(?:${namingParameters.join("|")})=)[^=&"\\s]*=)(?!\\{[^{}"]*\\}(?:[&"#]|$))[^&"#]+`,
  "g",
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

/** Where the scan of a configuration is: behind the name of a secret, so many brackets within its value, or among API keys. */
type Place = {
  name: string | undefined;
  secret: string | undefined;
  depth: number;
  apiKeys?: ApiKeyList | undefined;
};

const longestStep = 256;

/** A configuration as it may be shown. Secrets become as many asterisks, so that columns stay true. */
export function* maskSource(text: string): Steps<string> {
  const masked = yield* maskTokens(text);
  return maskSpans(masked, yield* findInBrokenLines(text));
}

function maskSpans(text: string, spans: readonly Span[]): string {
  const parts: string[] = [];
  let end = 0;
  for (const span of spans) {
    parts.push(text.slice(end, span.start), text.slice(span.start, span.end).replaceAll(/\S/g, "*"));
    end = span.end;
  }
  return parts.join("") + text.slice(end);
}

/** The same where nothing is broken. */
export function* maskTokens(text: string): Steps<string> {
  const place: Place = { name: undefined, secret: undefined, depth: 0 };
  const parts: string[] = [];
  let end = 0;
  let count = 0;
  for (const { token, index } of tokensOf(text)) {
    count += 1;
    if (count % longestStep === 0) yield;
    const masked = mayBeApiKey(token, place) ? maskValue(token) : maskToken(token, place);
    if (masked === token) continue;
    parts.push(text.slice(end, index), masked);
    end = index + token.length;
  }
  parts.push(text.slice(end));
  return parts.join("");
}

function mayBeApiKey(token: string, place: Place): boolean {
  const isKey = place.apiKeys?.mayBeKey(token, meantBy(token)) === true;
  if (place.apiKeys?.hasEnded() === true) place.apiKeys = undefined;
  return isKey;
}

function maskToken(token: string, place: Place): string {
  if (token === ":") {
    if (place.secret !== undefined || place.name === undefined) return token;
    if (place.name.toLowerCase() === "keys") place.apiKeys ??= scanApiKeys();
    place.secret = meantSecret(place.name);
    return token;
  }
  if (/^[{}[\],]$/.test(token)) {
    if (place.secret !== undefined) leaveOrEnter(token, place);
    return token;
  }
  if (token.startsWith("/")) return maskSpans(token, findByNames(token, { start: 0, end: token.length }));
  const isText = token.startsWith('"');
  place.name = isText ? meantBy(token) : undefined;
  const { secret } = place;
  if (secret === undefined) return isText ? maskTemplate(token) : token;
  if (place.depth === 0) place.secret = undefined;
  return mayShow(secret, token) ? token : maskValue(token);
}

function maskValue(token: string): string {
  if (/^(null|true|false)$/.test(token)) return token;
  return token.startsWith('"') ? `"${asterisks(token.slice(1, -1))}"` : asterisks(token);
}

/** The value of a secret is a whole list or object, or ends with what comes next. */
function leaveOrEnter(token: string, place: Place): void {
  if (token === "{" || token === "[") place.depth += 1;
  else if (token !== ",") place.depth -= 1;
  if (place.depth <= 0) Object.assign(place, { secret: undefined, depth: 0 });
}

/** Where characters are escaped, it is unknown which of them belong to a value: then all of the query is masked. */
function maskTemplate(token: string): string {
  const meant = meantBy(token);
  if (token.length === meant.length + 2)
    return token.replaceAll(literalValues, asterisks).replaceAll(credentials, asterisks);
  return meant === maskMessage(meant) ? token : `"${asterisks(token.slice(1, -1))}"`;
}

function asterisks(text: string): string {
  return "*".repeat(text.length);
}
