const firstLetter = "a".charCodeAt(0);
const lowerCase = 0x20;
const lettersOfAlphabet = 26;
const [firstDigit, lastDigit] = [0x30, 0x39];
// The only characters beyond ASCII that have letters of ASCII in lower case: the sign of kelvin, and the dotted I.
const [kelvin, dottedI] = [0x212a, 0x130];

const begin = 0;
const found = 0xffff;

/**
 * Tells whether any of some words, of small letters of ASCII, may stand in a text, whatever its case and what signs stand
 * between the letters: each character is looked at once, however many words there are.
 */
export function createWordFinder(words: readonly string[]): (text: string) => boolean {
  const next = statesOf(words);
  addFallbacks(next);

  return function mayHoldWord(text) {
    let state = begin;
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      const letter = (unit | lowerCase) - firstLetter;
      if (letter >= 0 && letter < lettersOfAlphabet) {
        state = next[state + letter]!;
        if (state === found) return true;
      } else if (unit >= firstDigit && unit <= lastDigit) state = begin;
      else if (unit === kelvin || unit === dottedI) return true;
    }
    return false;
  };
}

/** For each state, that is for each beginning of a word, the state to which each letter leads; a word is found at its end. */
function statesOf(words: readonly string[]): Uint16Array {
  const next = new Uint16Array((1 + words.join("").length) * lettersOfAlphabet);
  let states = 1;
  // A word that begins with another one is never reached.
  for (const word of words.toSorted((one, other) => one.length - other.length)) {
    let state = begin;
    for (let at = 0; at < word.length && state !== found; at += 1) {
      const edge = state + word.charCodeAt(at) - firstLetter;
      if (at === word.length - 1) next[edge] = found;
      else if (next[edge] === begin) next[edge] = states++ * lettersOfAlphabet;
      state = next[edge]!;
    }
  }
  return next;
}

/** Where no word goes on with a letter, another one may, which began later. */
function addFallbacks(next: Uint16Array): void {
  const waiting = [{ state: begin, fallback: begin }];
  for (const { state, fallback } of waiting) {
    for (let letter = 0; letter < lettersOfAlphabet; letter += 1) {
      const own = next[state + letter]!;
      const other = state === begin ? begin : next[fallback + letter]!;
      if (own === begin || other === found) next[state + letter] = other;
      else if (own !== found) waiting.push({ state: own, fallback: other });
    }
  }
}
