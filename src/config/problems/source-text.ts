import type { Span } from "../../json/json-node.ts";
import { tokensOf } from "../../json/source-tokens.ts";
import { runAtOnce, type Steps } from "../../time-slices.ts";
import { countUpTo } from "./count-up-to.ts";
import { maskSource } from "./mask-source.ts";

/** Where an offset is, as editors count: lines and columns from 1, columns in UTF-16 units. */
type Position = Readonly<{ line: number; column: number }>;

/** A text that can say where an offset is, and show its lines. */
export type SourceText = Readonly<{
  positionOf(offset: number): Position;
  /** A line as it may be shown: secrets are masked. */
  lineText(number: number): string;
  /** The texts, numbers and words of a part that may not be shown. */
  hiddenIn(part: Span): readonly string[];
  /** Prepares the position of an offset in steps; in a large text, asking for it without this takes long. */
  readUpTo(offset: number): Steps<void>;
  /** The same for lines, and for what is hidden. */
  mask(): Steps<void>;
}>;

const longestStep = 16_384;

const lineFeed = 10;
const carriageReturn = 13;

/**
 * Finds lines in a text only as far as they are asked for: a large text is not gone through for a place at its
 * beginning.
 */
export function createSourceText(text: string): SourceText {
  const starts = [0];
  let scanned = 0;
  let masked: string | undefined;
  // A value may have thousands of faults.
  let lastPart: Readonly<{ part: Span; hidden: readonly string[] }> | undefined;

  return {
    positionOf(offset) {
      while (scanned < text.length && scanned <= offset) scanCharacter();
      const line = countUpTo(starts, offset);
      return { line, column: offset - starts[line - 1]! + 1 };
    },
    lineText(number) {
      while (scanned < text.length && starts.length <= number) scanCharacter();
      const [start, end] = [starts[number - 1], starts[number]];
      const line = maskedText().slice(start, end);
      // No regular expression: a minified file is one line of megabytes.
      if (line.endsWith("\r\n")) return line.slice(0, -2);
      return line.endsWith("\n") || line.endsWith("\r") ? line.slice(0, -1) : line;
    },
    hiddenIn(part) {
      if (lastPart?.part.start !== part.start || lastPart.part.end !== part.end) {
        lastPart = { part, hidden: findHidden(part) };
      }
      return lastPart.hidden;
    },
    *readUpTo(offset) {
      while (scanned < text.length && scanned <= offset) {
        const end = Math.min(scanned + longestStep, text.length);
        while (scanned < end) scanCharacter();
        yield;
      }
    },
    *mask() {
      masked ??= yield* maskSource(text);
    },
  };

  function maskedText(): string {
    return (masked ??= runAtOnce(maskSource(text)));
  }

  function findHidden({ start, end }: Span): readonly string[] {
    const shown = maskedText().slice(start, end);
    const tokens = [...tokensOf(text.slice(start, end))];
    return tokens.filter(({ token, index }) => !shown.startsWith(token, index)).map(({ token }) => token);
  }

  function scanCharacter(): void {
    const code = text.charCodeAt(scanned);
    scanned += 1;
    if (code === lineFeed || (code === carriageReturn && text.charCodeAt(scanned) !== lineFeed)) starts.push(scanned);
  }
}
