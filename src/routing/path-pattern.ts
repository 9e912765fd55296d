import type { Template } from "../templates/template.ts";
import { endOfSegment, type PathEnding, stretchOfEnding } from "./path-ending.ts";
import { comparePath, type ComparedText, cutOriginal } from "./compared-text.ts";
import { normalisePath } from "../urls/normalise-path.ts";
import { storeValues, locateValues, type SegmentPattern, type Stretch } from "../templates/segment-pattern.ts";

/** What stands between two slashes of a template: literal text in its compared form, or something with placeholders. */
export type Segment = string | SegmentPattern;

/** A path template cut at its slashes. */
export type PathPattern = Readonly<{
  /** All segments but a last one with placeholders. */
  segments: readonly Segment[];
  ending: PathEnding;
}>;

/** A segment to which more may come. */
type OpenSegment = string | { readonly names: string[]; readonly literals: string[] };

/** Compiles a path template for comparing with or without case. */
export function compilePathPattern(template: Template, caseSensitive: boolean): PathPattern {
  const open: OpenSegment[] = [];
  for (const part of template.parts) {
    if (typeof part === "string") addLiteral(open, comparePath(normalisePath(part), caseSensitive).text);
    else addPlaceholder(open, part.placeholder);
  }
  const last = closeSegment(open.at(-1)!);
  if (typeof last === "object") return { segments: open.slice(0, -1).map(closeSegment), ending: last };
  if (last === "") return { segments: open.slice(0, -1).map(closeSegment), ending: "slash" };
  return { segments: open.map(closeSegment), ending: "literal" };
}

function addLiteral(open: OpenSegment[], literal: string): void {
  // Every template begins with a slash: nothing stands before it.
  const [rest = "", ...following] = literal.split("/");
  const last = open.pop();
  if (typeof last === "string") open.push(last + rest);
  else if (last !== undefined) {
    last.literals.push(last.literals.pop()! + rest);
    open.push(last);
  }
  for (const text of following) open.push(text);
}

function addPlaceholder(open: OpenSegment[], name: string): void {
  const last = open.pop()!;
  if (typeof last === "string") open.push({ names: [asPropertyName(name)], literals: [last, ""] });
  else {
    last.names.push(asPropertyName(name));
    last.literals.push("");
    open.push(last);
  }
}

function closeSegment(open: OpenSegment): Segment {
  // Copies, because arrays that grew keep room for more.
  if (typeof open === "string" || open.names.length === 1) return open;
  return { names: open.names.slice(), literals: open.literals.slice() };
}

/** The engine's own copy of a name: storing a value under any other copy takes a search for this one, at each request. */
function asPropertyName(name: string): string {
  return Object.keys({ [name]: undefined })[0]!;
}

/** Whether a segment is exactly one placeholder. */
export function isWholePlaceholder({ names, literals }: SegmentPattern): boolean {
  return names.length === 1 && literals[0] === "" && literals[1] === "";
}

/** Cuts the values of a pattern out of a normalised path whose compared form is known to match. */
export function cutValues(
  { segments, ending }: PathPattern,
  path: string,
  compared: ComparedText,
): Record<string, string> {
  // A literal of this form is an object without prototype, and much faster than Object.create(null).
  const values = { __proto__: null } as unknown as Record<string, string>;
  const { text } = compared;
  const cut = (start: number, end: number): string => cutOriginal(path, compared, start, end);
  let start = 1;
  for (const segment of segments) {
    const end = endOfSegment(text, start);
    cutSegment(segment, { start, end, reach: end, least: 1 });
    start = end + 1;
  }
  if (typeof ending === "string") return values;
  cutSegment(ending, stretchOfEnding(text, start));
  return values;

  function cutSegment(segment: Segment, stretch: Stretch): void {
    if (typeof segment === "string") return;
    if (isWholePlaceholder(segment)) values[segment.names[0]!] = cut(stretch.start, stretch.end);
    else storeValues(segment, locateValues(segment, text, stretch)!, cut, values);
  }
}
