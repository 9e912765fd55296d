import { compileValuePattern, locateValues, type SegmentPattern } from "../../templates/segment-pattern.ts";
import { encodeLiteral, parseTemplate } from "../../templates/template.ts";
import { pathOf } from "../../urls/path-and-query.ts";
import { openPlaceholder } from "../rules/target-texts.ts";
import { fillSample, sampleValue } from "../rules/witness.ts";

/** One segment of a path template; the key is equal for those that take the same. */
export type Segment = PlainSegment<"literal"> | PlainSegment<"any"> | MixedSegment;

type PlainSegment<Kind> = Readonly<{ kind: Kind; key: string; text: string }>;

/** A segment of text and placeholders, with its pattern where case counts and where it does not. */
type MixedSegment = Readonly<{
  kind: "mixed";
  key: string;
  text: string;
  exact: SegmentPattern;
  caseless: SegmentPattern;
}>;

/**
 * A path template by segments; an open one also takes whatever is below. Where the last segment mixes text and
 * placeholders, its value may hold slashes: the tail is what all the rest of the path must look like then.
 */
export type PathShape = Readonly<{ segments: readonly Segment[]; isOpen: boolean; tail: SegmentPattern | undefined }>;

const placeholder = /\{\w+\}/g;

/** Cuts a template into segments. */
export function shapeOf(template: string): PathShape {
  const path = encodeLiteral(pathOf(template)).replace(/\/$/, "");
  const texts = path.split("/").slice(1);
  const last = openPlaceholder(template) === undefined ? undefined : segmentOf(texts.at(-1) ?? "");
  const isOpen = last?.kind === "any";
  const segments = (isOpen ? texts.slice(0, -1) : texts).map(segmentOf);
  return { segments, isOpen, tail: last?.kind === "mixed" ? last.caseless : undefined };
}

/** Whether all the rest of a path is what a shape's tail takes. */
export function takesRest(tail: SegmentPattern, rest: string): boolean {
  const slash = rest.indexOf("/");
  return takes(tail, rest.toLowerCase(), slash === -1 ? rest.length : slash, 0);
}

function takes(pattern: SegmentPattern, text: string, reach: number, least: 0 | 1): boolean {
  return locateValues(pattern, text, { start: 0, end: text.length, reach, least }) !== undefined;
}

function segmentOf(text: string): Segment {
  const literals = text.split(placeholder);
  if (literals.length === 1) return { kind: "literal", key: text.toLowerCase(), text };
  if (/^\{\w+\}$/.test(text)) return { kind: "any", key: "{}", text };
  const template = parseTemplate(text);
  const exact = compileValuePattern(template, (literal) => literal);
  const caseless = compileValuePattern(template, (literal) => literal.toLowerCase());
  return { kind: "mixed", key: literals.join("{}").toLowerCase(), text, exact, caseless };
}

/** A text that the segment takes. */
export function sampleOf({ kind, text }: Segment): string {
  return kind === "any" ? sampleValue : fillSample(text);
}

/** Whether a segment takes a text. */
export function takesSegment(segment: Segment, actual: string, isSensitive: boolean): boolean {
  const { text } = segment;
  if (segment.kind === "any") return actual !== "";
  if (segment.kind === "literal") return isSensitive ? text === actual : text.toLowerCase() === actual.toLowerCase();
  return isSensitive
    ? takes(segment.exact, actual, actual.length, 1)
    : takes(segment.caseless, actual.toLowerCase(), actual.length, 1);
}
