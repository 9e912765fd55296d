/** Where an offset is, as editors count: lines and columns from 1, columns in UTF-16 units. */
export type Position = Readonly<{ line: number; column: number }>;

/** A text that can say where an offset is. */
export type SourceText = Readonly<{ positionOf(offset: number): Position; lineText(number: number): string }>;

const lineBreak = /\r\n|\r|\n/g;

/** Finds lines in a text; the lines are only counted when somebody asks. */
export function createSourceText(text: string): SourceText {
  let starts: readonly number[] | undefined;

  function lineStarts(): readonly number[] {
    starts ??= [0, ...Array.from(text.matchAll(lineBreak), (found) => found.index + found[0].length)];
    return starts;
  }

  return {
    positionOf(offset) {
      const line = countUpTo(lineStarts(), offset);
      return { line, column: offset - lineStarts()[line - 1]! + 1 };
    },
    lineText(number) {
      const [start, end] = [lineStarts()[number - 1], lineStarts()[number]];
      const line = text.slice(start, end);
      // No regular expression: a minified file is one line of megabytes.
      if (line.endsWith("\r\n")) return line.slice(0, -2);
      return line.endsWith("\n") || line.endsWith("\r") ? line.slice(0, -1) : line;
    },
  };
}

/** How many of the sorted numbers are not above the limit. */
function countUpTo(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
