const mostTexts = 1_000;
// No address is longer, but one with a zone.
const longestAddress = 45;

/**
 * Remembers what a function makes of short texts, a thousand at most: connections are kept, so that the same addresses
 * come again and again. It is for findings that depend on the text alone.
 */
export function rememberPerText<Finding>(
  find: (text: string) => Finding,
  longest = longestAddress,
): (text: string) => Finding {
  const known = new Map<string, Finding>();
  return function findOnce(text) {
    const earlier = known.get(text);
    if (earlier !== undefined || known.has(text)) return earlier!;
    const found = find(text);
    if (text.length > longest) return found;
    if (known.size === mostTexts) known.clear();
    known.set(text, found);
    return found;
  };
}
