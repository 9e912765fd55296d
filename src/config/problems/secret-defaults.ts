import { looksSecret } from "../../secrets/secret-names.ts";

const variableWithDefault = /\$\{([A-Za-z_]\w*):-/g;
// A default may hold placeholders, such as "/orders/{id}"; one that is not closed goes on to the end of the text.
const restOfDefault = /(?:\{[^{}]*\}|[^{}])*/y;

/** A text in which the defaults of variables that are named like secrets are masked: `${API_TOKEN:-…}`. */
export function maskDefaults(text: string, mask: (secret: string) => string): string {
  if (!text.includes(":-")) return text;
  const parts: string[] = [];
  let end = 0;
  for (const { 0: opening, 1: name = "", index } of text.matchAll(variableWithDefault)) {
    const start = index + opening.length;
    if (index < end || !looksSecret(name)) continue;
    restOfDefault.lastIndex = start;
    const otherwise = restOfDefault.exec(text)![0];
    parts.push(text.slice(end, start), mask(otherwise));
    end = start + otherwise.length;
  }
  return parts.join("") + text.slice(end);
}
