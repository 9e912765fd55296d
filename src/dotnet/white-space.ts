/** What .NET takes for white space (`char.IsWhiteSpace`), as the inside of a character class. JavaScript's own `\s` differs in U+0085 and U+FEFF. */
export const whiteSpace = "\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";

const isWhiteSpace = new RegExp(`[${whiteSpace}]`);

/** Removes from both ends what `matches` accepts; a loop, because a pattern anchored at the end is quadratic on long runs. */
export function trimWhere(text: string, matches: (character: string) => boolean): string {
  let start = 0;
  let end = text.length;
  while (start < end && matches(text.charAt(start))) start++;
  while (end > start && matches(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/** .NET's `Trim()`. */
export function trimWhiteSpace(text: string): string {
  return trimWhere(text, (character) => isWhiteSpace.test(character));
}
