const escape = /%[\da-f]{2}/gi;

/** The copy of a text that is compared. It is as long as the text, so that values can be cut by position. */
export function foldCase(text: string, caseSensitive: boolean): string {
  if (caseSensitive) return text;
  const lower = text.toLowerCase();
  // The lower case of one character outside ASCII is two characters.
  return lower.length === text.length ? lower : text.replace(/[A-Z]+/g, (run) => run.toLowerCase());
}

/** {@link foldCase} for paths, where percent-encoded bytes never have a case. */
export function foldPathCase(path: string, caseSensitive: boolean): string {
  if (!caseSensitive) return foldCase(path, false);
  return path.includes("%") ? path.replace(escape, (found) => found.toUpperCase()) : path;
}
