/**
 * Whether a text holds what parsers put in the place of bytes that are no text. It is longer than most of them: one text
 * could be made as long as another so.
 */
export function holdsReplacement(text: string): boolean {
  return text.includes("\ufffd");
}
