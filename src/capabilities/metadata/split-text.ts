import { stringSplitOptions } from "../../dotnet/split-options.ts";
import { trimWhere, trimWhiteSpace, whiteSpace } from "../../dotnet/white-space.ts";

type SplitRules = Readonly<{
  separators: readonly string[];
  splitOption: number;
  /** Empty means white space, as in .NET. */
  trimCharacters: readonly string[];
}>;

/** Makes a function that splits as .NET's `Split` and trims each part as .NET's `Trim`, for the `string[]` token. */
export function createTextSplitter(rules: SplitRules): (text: string) => readonly string[] {
  const separator = separatorPattern(rules.separators);
  const trimsEntries = (rules.splitOption & stringSplitOptions.TrimEntries) !== 0;
  const removesEmpty = (rules.splitOption & stringSplitOptions.RemoveEmptyEntries) !== 0;
  const trim = trimmer(rules.trimCharacters);

  return function splitText(text) {
    const entries = separator === undefined ? [text] : text.split(separator);
    const parts = entries.map((entry) => trim(trimsEntries ? trimWhiteSpace(entry) : entry));
    return Object.freeze(removesEmpty ? parts.filter((part) => part !== "") : parts);
  };
}

/** No separators at all mean white space; empty ones never match. Where several match at one place, the first in the list does. */
function separatorPattern(separators: readonly string[]): RegExp | undefined {
  if (separators.length === 0) return new RegExp(`[${whiteSpace}]`);
  const texts = separators.filter((separator) => separator !== "");
  if (texts.length === 0) return undefined;
  return new RegExp(texts.map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|"));
}

function trimmer(characters: readonly string[]): (text: string) => string {
  if (characters.length === 0) return trimWhiteSpace;
  const trimmed = new Set(characters);
  return (text) => trimWhere(text, (character) => trimmed.has(character));
}
