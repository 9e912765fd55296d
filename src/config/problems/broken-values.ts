// A text, number or word, with what follows it where nothing is wrong: a bracket, a comment, the end of the line, or the
// next member, with a comma before it or without.
const cleanValue =
  /\s*(?:"(?:[^"\\\n]|\\.)*"|[-+.\w]+(?![}\]][^\s,}\]/]))(?=[ \t]*,?[ \t\r]*(?:\n|$|[}\]]|\/[/*]|"(?:[^"\\\n]|\\.)*"[ \t]*:))/y;
const restWithoutValue = /[ \t]*,?[ \t\r]*/y;
const begunInNextLine = /\s*/y;
const beginningOfCleanLine = String.raw`[^\S\n]*(?:"(?:[^"\\\n]|\\.)*"\s*:|[{}[\]]|\/\/)`;
const cleanLine = new RegExp(beginningOfCleanLine, "y");
/** The end of a line where the next one may be a part of a text that is not closed. */
export const wrappedLine = String.raw`\n(?!${beginningOfCleanLine})`;
const quote = /\\.|"/g;
const textOrBracket = /\\.|"(?:[^"\\\n]|\\.)*"|[{}[\]]/g;

/** Where a value begins: it may stand in a line behind that of its name. */
export function startOfValue(text: string, behindName: number): number {
  return endOf(begunInNextLine, text, behindName)!;
}

/** Where a value ends of which that can be told; undefined where it cannot. */
export function endOfCleanValue(text: string, start: number): number | undefined {
  const end = endOf(cleanValue, text, start);
  return end === undefined || (isLastInLine(text, end) && isOpen(lineUpTo(text, end))) ? undefined : end;
}

function isLastInLine(text: string, at: number): boolean {
  const next = text[endOf(restWithoutValue, text, at)!];
  return next === undefined || next === "\n";
}

/** The end of the line in which a value begins, and of those behind it in which a text, an object or a list may go on. */
export function endOfUnclearValue(text: string, start: number): number {
  const begin = startOfValue(text, start);
  if (text.slice(start, begin).includes("\n") && endOf(cleanLine, text, begin) !== undefined) return begin;
  return endOfBrackets(text, begin, endOfTexts(text, begin));
}

function endOfTexts(text: string, begin: number): number {
  let end = endOfLine(text, begin);
  // What is escaped may stand in a text that began before it.
  if (!isOpen(text.slice(begin, end)) && !isOpen(lineUpTo(text, end))) return end;
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

function lineUpTo(text: string, end: number): string {
  return text.slice(text.lastIndexOf("\n", end - 1) + 1, end);
}

/** Whether a text goes on behind a line, or one of JSON that is within a text. */
function isOpen(line: string): boolean {
  const found = line.match(quote) ?? [];
  return ['"', '\\"'].some((sign) => found.filter((one) => one === sign).length % 2 === 1);
}

function endOf(pattern: RegExp, text: string, start: number): number | undefined {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}
