import { meantSecret } from "./secret-keys.ts";

// One sign of `${NAME:-` may be missing, or another one. What stands behind a name is a default where a brace does not end it.
const variableWithDefault = /(?:\$\{|[${])((?:[^{}:$]*[{}:$])?[^{}:$]*):-|\$\{(\w+)[^\w}]/g;
// A default may hold placeholders, such as "/orders/{id}"; a brace within it leaves one more behind it, and one that is not
// closed goes on to the end of the text.
const restOfDefault = /(?:\{[^{}]*\}|[^{}]|\}(?=(?:\{[^{}]*\}|[^{}])*\}))*/y;

/** A text in which the defaults of variables that are named like secrets are masked: `${API_TOKEN:-…}`. */
export function maskDefaults(text: string, mask: (secret: string) => string): string {
  if (!mayHoldDefault.test(text)) return text;
  const parts: string[] = [];
  let end = 0;
  for (const { 0: opening, 1: name, 2: brokenName = "", index } of text.matchAll(variableWithDefault)) {
    const start = index + opening.length;
    if (index < end || meantSecret(name ?? brokenName) === undefined) continue;
    restOfDefault.lastIndex = start;
    const otherwise = restOfDefault.exec(text)![0];
    parts.push(text.slice(end, start), mask(otherwise));
    end = start + otherwise.length;
  }
  return parts.join("") + text.slice(end);
}

const mayHoldDefault = /:-|\$\{/;
