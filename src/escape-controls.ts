// What a terminal obeys, or shows in another order than it stands: control characters and those of bidirectional text.
const controls = /[\0-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A text that a terminal shows as it is. */
export function escapeControls(text: string): string {
  return text.replace(controls, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The same for a text that keeps its width: what stands below it stays below its place. Tabs stay tabs. */
export function blankControls(text: string): string {
  return text.replace(controls, (character) => (character === "\t" ? character : "\ufffd"));
}
