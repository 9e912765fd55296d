/** Every text that is one edit away: a letter less, more, another, or two swapped. */
export function* editsOf(text: string, alphabet: readonly string[]): Generator<string> {
  for (let at = 0; at <= text.length; at += 1) {
    const [before, after] = [text.slice(0, at), text.slice(at)];
    if (after !== "") yield before + after.slice(1);
    if (after.length > 1) yield before + after[1]! + after[0]! + after.slice(2);
    for (const letter of alphabet) {
      yield before + letter + after;
      if (after !== "") yield before + letter + after.slice(1);
    }
  }
}

/** Names that users keep for themselves begin so, and a lock is taken out of service like that on purpose. */
export const kept = /^(x-|\$)/i;
