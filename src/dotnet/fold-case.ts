/**
 * Two texts that .NET holds equal without case (ordinally) fold to the same text: each character goes to its upper case by itself.
 * What JavaScript's `toUpperCase` does beyond that (`ß` to `SS`, the dotless `ı` to `I`) is not wanted.
 */
export function foldCase(text: string): string {
  if (isAscii.test(text)) return text.toUpperCase();
  return Array.from(text, foldCharacter).join("");
}

const isAscii = /^[\u0000-\u007f]*$/;

function foldCharacter(character: string): string {
  const upper = character.toUpperCase();
  const isSimple = upper.length === character.length && isAscii.test(upper) === isAscii.test(character);
  return isSimple ? upper : character;
}
