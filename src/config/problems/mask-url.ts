import { namingParameters } from "../../discovery/naming-parameters.ts";
import { meantBy } from "../../json/source-tokens.ts";
import { maskSpans, type Span } from "../../secrets/spans.ts";
import { findUserInfoOrRest, variablePassword } from "../../secrets/user-info.ts";
import { meantSecret } from "./secret-keys.ts";

/** What stands in every text with a query, or with a name before a host. */
export const mayBeUrlWithSecret = /[?&@:=]/;
const naming = `(?:${namingParameters.join("|")})=`;
const placeholder = String.raw`\{[^{}]*\}(?:[&#]|$)`;
// The value of a parameter in a template, unless it is nothing but a placeholder, or where the naming service reads it.
const literalValues = literalValuesBehind("[^=& ]");
// A blank in a name is a slip.
const broadLiteralValues = literalValuesBehind("[^=&]");
// What has no equals sign may have lost it, or be a part of the value before.
const valuesWithoutName = /(?<=\?|[=?][^=&?]*&)(?!\s|(?:\{[^{}]*\})+(?:[&#]|$))[^=&]+(?=&|$)/g;
// A parameter may have lost the sign before it.
const namedValues = new RegExp(String.raw`(?<![\w.-])([\w.-]+)=(?!=|${placeholder})[^&]+`, "g");
// A name and a password before a host without a scheme; where a variable is written, it stays.
const withoutScheme = new RegExp(String.raw`(?<=^|\/)(?!${variablePassword})[^/ :]*:[^/ ]+(?=@)`, "g");
// A quote within a word, or before a sign of the same word, is one that a URL holds; what is not closed goes on to the end.
const quoted = /(?<![^\s([{,:=]|[^"]:)"(?:[^"\\]|\\.?|"(?=[^\s"]*@))*(?:(")|$)/gs;

function literalValuesBehind(characterOfName: string): RegExp {
  return new RegExp(`(?<=[?&](?!${naming})${characterOfName}*=)(?!${placeholder})[^&]+`, "g");
}

/** A text of a configuration in which the literal values of parameters are masked, and what stands before a host. */
export function maskUrl(text: string, mask?: (secret: string) => string): string {
  if (!mayBeUrlWithSecret.test(text)) return text;
  const found = [broadLiteralValues, valuesWithoutName, withoutScheme].flatMap((pattern) => findAll(text, pattern));
  return maskSpans(text, [...found, ...findNamedValues(text), ...findUserInfoOrRest(text)], mask);
}

/** The same of words, which may hold such signs. */
export function maskWords(text: string, mask?: (secret: string) => string): string {
  if (!mayBeUrlWithSecret.test(text)) return text;
  const found = [literalValues, withoutScheme].flatMap((pattern) => findAll(text, pattern));
  return maskSpans(text, [...found, ...findUserInfoOrRest(text)], mask);
}

function findAll(text: string, pattern: RegExp): Span[] {
  return Array.from(text.matchAll(pattern), ({ 0: found, index }) => ({ start: index, end: index + found.length }));
}

function findNamedValues(text: string): Span[] {
  const found = Array.from(text.matchAll(namedValues)).filter(({ 1: name = "" }) => meantSecret(name) !== undefined);
  return found.map(({ 0: pair, 1: name = "", index }) => ({
    start: index + name.length + 1,
    end: index + pair.length,
  }));
}

/** A message about a configuration as it may be shown: the same in each text that it quotes, and between them. */
export function maskMessage(message: string): string {
  if (!mayBeUrlWithSecret.test(message)) return message;
  let shown = "";
  let end = 0;
  for (const { 0: text, 1: closingQuote, index } of message.matchAll(quoted)) {
    if (closingQuote === undefined) break;
    shown += maskWords(message.slice(end, index)) + maskQuoted(text);
    end = index + text.length;
  }
  return shown + maskWords(message.slice(end));
}

function maskQuoted(text: string): string {
  const meant = meantBy(text);
  const shown = maskUrl(meant);
  return shown === meant ? text : JSON.stringify(shown);
}
