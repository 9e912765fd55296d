import type { SegmentPattern, Stretch } from "../templates/segment-pattern.ts";

/**
 * How a template ends, and what of it a path may leave out. Nothing stands behind literal text. A slash may be missing. A
 * last segment with placeholders takes all the rest of the path, slashes included; where it is one placeholder alone, it
 * may be missing, with its slash or without.
 */
export type PathEnding = "literal" | "slash" | SegmentPattern;

/** Whether a path ends where a template does that ends so; `start` is where another segment of the path would begin. */
export function endsWithTemplate(ending: "literal" | "slash" | "rest", path: string, start: number): boolean {
  // One placeholder alone takes whatever is left, also nothing, with its slash or without.
  if (ending === "rest") return true;
  return ending === "slash" ? start >= path.length : start > path.length;
}

/** The stretch of a path that a last segment with placeholders has to cover, if it begins at `start`. */
export function stretchOfEnding(text: string, start: number): Stretch {
  // Where the last segment is missing altogether, its slash is missing too.
  const begin = Math.min(start, text.length);
  return { start: begin, end: text.length, reach: endOfSegment(text, begin), least: 0 };
}

/** Where the segment ends that begins at `start`. */
export function endOfSegment(text: string, start: number): number {
  const slash = text.indexOf("/", start);
  return slash === -1 ? text.length : slash;
}
