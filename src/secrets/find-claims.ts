import type { TemplatePart } from "../templates/template.ts";
import type { Span } from "./spans.ts";

/**
 * Where claims stand in a path that was made from a template. Their values are not known here, but each is within one
 * segment; behind what a client has chosen the place of a segment is not known either, and the rest of the path is taken.
 */
export function findClaims(path: string, parts: readonly TemplatePart[], names: readonly string[]): Span[] {
  const spans: Span[] = [];
  const last = parts.findLastIndex((part) => isClaim(part, names));
  let at = 0;
  for (const part of parts.slice(0, last + 1)) {
    if (typeof part !== "string" && !isClaim(part, names)) return [...spans, { start: at, end: path.length }];
    if (typeof part === "string") {
      const literal = at === spans.at(-1)?.end ? fromSlash(part) : part;
      if (!path.startsWith(literal, at)) return [{ start: 0, end: path.length }];
      at += literal.length;
    } else {
      const start = at;
      at = endOfSegment(path, at);
      spans.push({ start, end: at });
    }
  }
  return spans;
}

function isClaim(part: TemplatePart, names: readonly string[]): boolean {
  return typeof part !== "string" && names.includes(part.placeholder);
}

/** What stands behind a claim in its segment is taken with it. */
function fromSlash(literal: string): string {
  const slash = literal.indexOf("/");
  return slash === -1 ? "" : literal.slice(slash);
}

function endOfSegment(path: string, from: number): number {
  const slash = path.indexOf("/", from);
  return slash === -1 ? path.length : slash;
}
