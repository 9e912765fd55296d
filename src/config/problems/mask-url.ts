import { namingParameters } from "../../discovery/naming-parameters.ts";
import { meantBy } from "../../json/source-tokens.ts";
import { maskSpans } from "../../secrets/spans.ts";
import { findUserInfoOrRest, variablePassword } from "../../secrets/user-info.ts";

/** What stands in every text with a query, or with a name before a host. */
export const mayBeUrlWithSecret = /[?&@:]/;
// The value of a parameter in a template, unless it is nothing but a placeholder, or where the naming service reads it.
const literalValues = new RegExp(
  `(?<=[?&](?!(?:${namingParameters.join("|")})=)[^=& ]*=)(?!\\{[^{}]*\\}(?:[&#]|$))[^&]+`,
  "g",
);
// A name and a password before a host without a scheme; where a variable is written, it stays.
const withoutScheme = new RegExp(String.raw`(?<=^|\/)(?!${variablePassword})[^/ :]*:[^/ ]+(?=@)`, "g");
// A quote within a word, or before a sign of the same word, is one that a URL holds; what is not closed goes on to the end.
const quoted = /(?<![^\s([{,:=]|[^"]:)"(?:[^"\\]|\\.?|"(?=[^\s"]*@))*(?:(")|$)/gs;

/** A text of a configuration in which the literal values of parameters are masked, and what stands before a host. */
export function maskUrl(text: string, mask?: (secret: string) => string): string {
  if (!mayBeUrlWithSecret.test(text)) return text;
  const found = [literalValues, withoutScheme].flatMap((pattern) => [...text.matchAll(pattern)]);
  const spans = found.map(({ 0: value, index }) => ({ start: index, end: index + value.length }));
  return maskSpans(text, [...spans, ...findUserInfoOrRest(text)], mask);
}

/** A message about a configuration as it may be shown: the same in each text that it quotes, and between them. */
export function maskMessage(message: string): string {
  if (!mayBeUrlWithSecret.test(message)) return message;
  let shown = "";
  let end = 0;
  for (const { 0: text, 1: closingQuote, index } of message.matchAll(quoted)) {
    if (closingQuote === undefined) break;
    shown += maskUrl(message.slice(end, index)) + maskQuoted(text);
    end = index + text.length;
  }
  return shown + maskUrl(message.slice(end));
}

function maskQuoted(text: string): string {
  const meant = meantBy(text);
  const shown = maskUrl(meant);
  return shown === meant ? text : JSON.stringify(shown);
}
