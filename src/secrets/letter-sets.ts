const firstLetter = "a".charCodeAt(0);
const lowerCase = 0x20;
const lettersOfAlphabet = 26;
const allLetters = (1 << lettersOfAlphabet) - 1;
// The only characters beyond ASCII that have letters of ASCII in lower case: the sign of kelvin, and the dotted I.
const [kelvin, dottedI] = [0x212a, 0x130];

/** The letters of ASCII that stand in a text, whatever their case, as bits of a number. */
export function letterSetOf(text: string): number {
  let letters = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const letter = (unit | lowerCase) - firstLetter;
    if (letter >= 0 && letter < lettersOfAlphabet) letters |= 1 << letter;
    else if (unit === kelvin || unit === dottedI) return allLetters;
  }
  return letters;
}

/** Whether a set of letters has all of one of some other sets. */
export function hasAllOfAny(letters: number, sets: readonly number[]): boolean {
  for (const set of sets) if ((letters & set) === set) return true;
  return false;
}
