// What a terminal obeys, shows in another order than it stands, or does not show at all; and halves of characters.
const controls = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
// Nearly all texts are such, and looking for classes of Unicode takes longer.
const onlyVisible = /^[\x20-\x7e]*$/;
const onlyVisibleLines = /^[\t\n\x20-\x7e]*$/;

/** A text of one line that a terminal shows as it is. */
export function escapeControls(text: string): string {
  return replaceControls(text, escapeCharacter);
}

/** Several lines that a terminal shows as they are; in JSON, where such characters stand in texts only, they mean the same. */
export function escapeWithinLines(text: string): string {
  if (onlyVisibleLines.test(text)) return text;
  return text.replace(controls, (character) =>
    character === "\t" || character === "\n" ? character : escapeCharacter(character),
  );
}

/** The same for a text that keeps its width: what stands below it stays below its place. Tabs stay tabs. */
export function blankControls(text: string): string {
  return replaceControls(text, (character) => (character === "\t" ? character : "\ufffd".repeat(character.length)));
}

/** A text of one line in which something else stands for each character that is not shown as it is. */
export function replaceControls(text: string, replace: (character: string) => string): string {
  return onlyVisible.test(text) ? text : text.replace(controls, replace);
}

/** Beyond the first plane as JSON writes a character: by its two halves. */
function escapeCharacter(character: string): string {
  return Array.from({ length: character.length }, (_, at) => escapeUnit(character.charCodeAt(at))).join("");
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}
