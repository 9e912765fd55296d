import type { Steps } from "../../time-slices.ts";

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const bracket = 0x5b;
const brace = 0x7b;
const charactersOfStep = 4_096;

/**
 * Whether a text has no more than so many values if it is JSON: the parser, which cannot be put down, would make all. Lists
 * and objects with nothing in them count twice.
 */
export function* hasFewValues(text: string, most: number): Steps<boolean> {
  let values = 1;
  let inText = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) inText = !inText;
    else if (inText && code === backslash) at += 1;
    else if (!inText && (code === comma || code === bracket || code === brace)) values += 1;
    if (at % charactersOfStep === 0) {
      yield;
      if (values > most) return false;
    }
  }
  return values <= most;
}
