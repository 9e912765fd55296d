import { meantBy } from "../../json/source-tokens.ts";
import { maskValues } from "../../secrets/redact.ts";
import { secretMask } from "../../secrets/secret-names.ts";

const quoted = /"(?:[^"\\]|\\.)*"/g;
const numbers = /(?<=\bfound )-?\d[\w.+-]*/g;
const cut = "…";
// Fewer tell nothing; where a whole text is quoted, it is masked however short it is.
const shortestPart = 3;

const betweenParts = /[^\w.~+/=-]+/;
const shortestWord = 4;
// What messages quote themselves.
const ordinaryWords = /^(?:basic|bearer|claims?|value|https?)$/i;
const variable = /^\$\{\w+(?::-)?\}$/;

/**
 * A message that quotes nothing of what is hidden: no value as it is or as JSON writes it, trimmed, or cut because it is
 * long, and no part of one, such as a token without its scheme.
 */
export function withoutValues(message: string, hidden: readonly string[]): string {
  const values = hidden.map((value) => value.trim()).filter((value) => value !== "" && !variable.test(value));
  if (values.length === 0) return message;
  const parts = [...new Set(values.flatMap(partsOf))];
  return message
    .replaceAll(quoted, (text) => maskQuoted(text, values, parts))
    .replaceAll(numbers, (number) => (number.length >= shortestPart && values.includes(number) ? secretMask : number));
}

/** The value of a quoted text that is hidden itself, or a part of it, or that has a hidden one within. */
function maskQuoted(text: string, values: readonly string[], parts: readonly string[]): string {
  const meant = meantBy(text);
  const isCut = meant.endsWith(cut);
  const whole = isCut ? meant.slice(0, -cut.length) : meant;
  if (values.some((value) => isPart(whole, value))) return JSON.stringify(secretMask);
  const begun = isCut ? beginningAtEnd(whole, values) : 0;
  const kept = begun === 0 ? meant : whole.slice(0, -begun) + secretMask + cut;
  const shown = maskValues(kept, parts);
  return shown === meant ? text : JSON.stringify(shown);
}

function isPart(text: string, value: string): boolean {
  const [part, whole] = [text.trim().toLowerCase(), value.toLowerCase()];
  return part === whole || (part.length >= shortestPart && whole.includes(part));
}

/** How many letters of a value stand at the end of what was cut within it. */
function beginningAtEnd(text: string, values: readonly string[]): number {
  const lengths = values.map((value) => {
    for (let length = Math.min(value.length, text.length); length >= shortestPart; length -= 1) {
      if (text.endsWith(value.slice(0, length))) return length;
    }
    return 0;
  });
  return Math.max(...lengths);
}

function partsOf(value: string): readonly string[] {
  const parts = value.split(betweenParts).filter((part) => part.length >= shortestWord && !ordinaryWords.test(part));
  return [value, ...parts];
}
