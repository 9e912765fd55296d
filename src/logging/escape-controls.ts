// What a terminal obeys, or shows in another order than it stands: control characters and those of bidirectional text.
const controls = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const controlsWithinLines = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** A text of one line that a terminal shows as it is. */
export function escapeControls(text: string): string {
  return text.replace(controls, escapeCharacter);
}

/** Several lines that a terminal shows as they are; in JSON, where such characters stand in texts only, they mean the same. */
export function escapeWithinLines(text: string): string {
  return text.replace(controlsWithinLines, escapeCharacter);
}

/** The same for a text that keeps its width: what stands below it stays below its place. Tabs stay tabs. */
export function blankControls(text: string): string {
  return text.replace(controls, (character) => (character === "\t" ? character : "\ufffd"));
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
