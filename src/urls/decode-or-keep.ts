/** A text with its escapes decoded; as it is where they are no UTF-8. */
export function decodeOrKeep(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
