import { trimWhiteSpace } from "../../dotnet/white-space.ts";
import { foldCase } from "../../dotnet/fold-case.ts";

const truthyWords = new Set(["TRUE", "YES", "OK", "ON", "ENABLE", "ENABLED"]);
const falsyWords = new Set(["FALSE", "NO", "OFF", "DISABLE", "DISABLED", "0"]);

/** `bool`: true for a truthy word, otherwise false. */
export function parseBoolean(text: string): boolean {
  return truthyWords.has(wordOf(text));
}

/** `bool?`: true for a truthy word or `1`, false for a falsy word or `0`, otherwise null. */
export function parseNullableBoolean(text: string): boolean | null {
  const word = wordOf(text);
  if (word === "1" || truthyWords.has(word)) return true;
  return falsyWords.has(word) ? false : null;
}

function wordOf(text: string): string {
  return foldCase(trimWhiteSpace(text));
}
