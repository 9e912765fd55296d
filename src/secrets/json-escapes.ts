const unicodeEscape = /\\u([\da-f]{4})/gi;

/** A text in which characters stand themselves that JSON has escaped by their numbers. */
export function decodeJsonEscapes(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(unicodeEscape, (_escape, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}
