/** A text without case, unless case matters. It is as long as before, so that values can be cut by position. */
export function ignoreCase(text: string, caseSensitive: boolean): string {
  if (caseSensitive) return text;
  const lower = text.toLowerCase();
  // The lower case of one character outside ASCII is two characters.
  return lower.length === text.length ? lower : text.replace(/[A-Z]+/g, (run) => run.toLowerCase());
}
