/** A place in a text. */
export type TextCursor = { readonly text: string; position: number };

/** Whether nothing, or nothing but NUL characters, follows: .NET takes those for padding. */
export function hasOnlyNulsFrom(text: string, position: number): boolean {
  for (let index = position; index < text.length; index++) if (text.charCodeAt(index) !== 0) return false;
  return true;
}

/** White space around numbers is narrower in .NET than `char.IsWhiteSpace`. */
export function isBlankAt(text: string, position: number): boolean {
  const code = text.charCodeAt(position);
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

/** Takes the digits 0 to 9 at the cursor, if any. */
export function takeDigits(cursor: TextCursor): string {
  const { text, position: start } = cursor;
  let end = start;
  while (text.charCodeAt(end) >= 0x30 && text.charCodeAt(end) <= 0x39) end++;
  cursor.position = end;
  return text.slice(start, end);
}

/** Takes the first of some texts that stands at the cursor, and says whether one did. */
export function takeAny(cursor: TextCursor, texts: readonly string[]): boolean {
  for (const text of texts) {
    if (!standsAt(cursor, text)) continue;
    cursor.position += text.length;
    return true;
  }
  return false;
}

/** Whether one of some texts stands at the cursor. */
export function standsAny(cursor: TextCursor, texts: readonly string[]): boolean {
  return texts.some((text) => standsAt(cursor, text));
}

const noBreakSpaces = "\u00a0\u202f";

/** A typed blank stands for the no-break spaces that some cultures separate groups with. */
function standsAt({ text, position }: TextCursor, expected: string): boolean {
  for (let index = 0; index < expected.length; index++) {
    const found = text[position + index];
    if (found === expected[index]) continue;
    const isTypedBlank = found === " " && noBreakSpaces.includes(expected.charAt(index));
    if (!isTypedBlank) return false;
  }
  return true;
}
