/** A piece of a configuration that may be broken: a text with its quotes, a bracket, a separator, a comment, or a word. */
export type SourceToken = Readonly<{ token: string; index: number }>;

const beginnings = /["{}[\],:]|\/\/[^\n]*|\/\*|[^\s"{}[\],:/]+/g;
const textEnd = /["\n]|\\./g;

/** Goes through a configuration in linear time; a quote or a comment that is never closed is no token. */
export function* tokensOf(text: string): Generator<SourceToken> {
  const beginning = new RegExp(beginnings);
  const endings = { '"': createTextEnds(text), "/*": createCommentEnds(text) };
  for (let found = beginning.exec(text); found !== null; found = beginning.exec(text)) {
    const { 0: begun, index } = found;
    const end = begun === '"' || begun === "/*" ? endings[begun](index) : beginning.lastIndex;
    if (end !== undefined) yield { token: text.slice(index, end), index };
    beginning.lastIndex = end ?? index + 1;
  }
}

type FindEnd = (start: number) => number | undefined;

function createTextEnds(text: string): FindEnd {
  const ending = new RegExp(textEnd);
  // What an unclosed text holds are escaped quotes: a text that began at one of them would not be closed either.
  let openUpTo = 0;
  return function endOfText(start) {
    if (start < openUpTo) return undefined;
    ending.lastIndex = start + 1;
    for (let found = ending.exec(text); found !== null; found = ending.exec(text)) {
      if (found[0] === '"') return ending.lastIndex;
      if (found[0] === "\n") break;
    }
    openUpTo = ending.lastIndex === 0 ? text.length : ending.lastIndex;
    return undefined;
  };
}

function createCommentEnds(text: string): FindEnd {
  const last = text.lastIndexOf("*/");
  return function endOfComment(start) {
    return start + 2 > last ? undefined : text.indexOf("*/", start + 2) + 2;
  };
}

/** What a text with its quotes means; as it is written where it is ill-formed. */
export function meantBy(token: string): string {
  try {
    return JSON.parse(token) as string;
  } catch {
    return token.slice(1, -1);
  }
}
