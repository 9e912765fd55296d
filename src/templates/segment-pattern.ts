import type { Template } from "./template.ts";

/** A run of literals and placeholders in turn: `literals[0] {names[0]} literals[1] … literals[names.length]`. */
export type SegmentPattern = Readonly<{ names: readonly string[]; literals: readonly string[] }>;

/** The stretch of a text that a pattern must cover, and how far its placeholders reach. */
export type Stretch = Readonly<{
  start: number;
  end: number;
  /** Where the first slash stands: only the last placeholder goes past it. */
  reach: number;
  /** The fewest characters a placeholder takes. */
  least: 0 | 1;
}>;

/** Start and end of each placeholder's value in the text, in order: `[start, end, start, end, …]`. */
type ValuePositions = readonly number[];

/**
 * Finds the values of a pattern in a compared text; undefined when it does not match.
 * Greedy placeholders are the same as literals placed as far right as possible, from the last to the first: linear, with
 * nothing to take back.
 */
export function locateValues(pattern: SegmentPattern, text: string, stretch: Stretch): ValuePositions | undefined {
  const { literals } = pattern;
  const first = literals[0]!;
  const last = literals.at(-1)!;
  const left = stretch.start + first.length;
  let right = stretch.end - last.length;
  if (right < left || !text.startsWith(first, stretch.start) || !text.startsWith(last, right)) return undefined;

  const positions = [right];
  for (let index = literals.length - 2; index > 0; index -= 1) {
    const literal = literals[index]!;
    const latest = Math.min(right - stretch.least, stretch.reach) - literal.length;
    const found = latest < left ? -1 : text.lastIndexOf(literal, latest);
    if (found < left) return undefined;
    positions.push(found + literal.length, found);
    right = found;
  }
  if (right - left < stretch.least) return undefined;
  positions.push(left);
  return positions.reverse();
}

/** Cuts the values of a pattern out of the original text, and stores them by their names. */
export function storeValues(
  { names }: SegmentPattern,
  positions: ValuePositions,
  cut: (start: number, end: number) => string,
  values: Record<string, string>,
): void {
  names.forEach((name, index) => {
    values[name] = cut(positions[2 * index]!, positions[2 * index + 1]!);
  });
}

/** Makes the pattern of a template that is not cut at slashes: a header or a query parameter. */
export function compileValuePattern(template: Template, toLiteral: (literal: string) => string): SegmentPattern {
  const names: string[] = [];
  const literals = [""];
  for (const part of template.parts) {
    if (typeof part === "string") {
      literals.push(literals.pop()! + toLiteral(part));
    } else {
      names.push(part.placeholder);
      literals.push("");
    }
  }
  return { names, literals };
}
