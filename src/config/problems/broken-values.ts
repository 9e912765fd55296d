// A text, number or word, with what follows it where nothing is wrong: a bracket, a comment, the end of the line, or the
// next member, with a comma before it or without.
const cleanValue =
  /\s*(?:"(?:[^"\\\n]|\\.)*"|[-+.\w]+)(?=[ \t]*,?[ \t\r]*(?:\n|$|[}\]]|\/[/*]|"(?:[^"\\\n]|\\.)*"[ \t]*:))/y;
const begunInNextLine = /\s*/y;
const cleanLine = /\s*(?:"(?:[^"\\\n]|\\.)*"\s*:|[{}[\]]|\/\/)/y;
const quote = /\\.|"/g;
const textOrBracket = /\\.|"(?:[^"\\\n]|\\.)*"|[{}[\]]/g;

/** Where a value ends of which that can be told; undefined where it cannot. */
export function endOfCleanValue(text: string, start: number): number | undefined {
  return endOf(cleanValue, text, start);
}

/** The end of the line in which a value begins, and of those behind it in which a text, an object or a list may go on. */
export function endOfUnclearValue(text: string, start: number): number {
  const begin = endOf(begunInNextLine, text, start)!;
  if (text.slice(start, begin).includes("\n") && endOf(cleanLine, text, begin) !== undefined) return begin;
  return endOfBrackets(text, begin, endOfTexts(text, begin));
}

function endOfTexts(text: string, begin: number): number {
  let end = endOfLine(text, begin);
  if (!isOpen(text.slice(begin, end))) return end;
  while (end < text.length && endOf(cleanLine, text, end + 1) === undefined) end = endOfLine(text, end + 1);
  return end;
}

/** Where the brackets are closed that are opened in a part of a text; its end where they are closed within it. */
function endOfBrackets(text: string, begin: number, end: number): number {
  let depth = 0;
  textOrBracket.lastIndex = begin;
  for (let found = textOrBracket.exec(text); found !== null; found = textOrBracket.exec(text)) {
    if (found.index >= end && depth === 0) return end;
    if (/^[{[]/.test(found[0])) depth += 1;
    else if (/^[}\]]/.test(found[0])) depth = Math.max(0, depth - 1);
    if (depth === 0 && found.index >= end) return textOrBracket.lastIndex;
  }
  return depth === 0 ? end : text.length;
}

function isOpen(line: string): boolean {
  return (line.match(quote) ?? []).filter((found) => found === '"').length % 2 === 1;
}

function endOf(pattern: RegExp, text: string, start: number): number | undefined {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}
