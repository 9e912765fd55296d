import type { ComparedText } from "./compared-text.ts";
import { cutOriginal } from "./compared-text.ts";
import { endOfSegment, endsWithTemplate, stretchOfEnding } from "./path-ending.ts";
import { isWholePlaceholder, type PathPattern, type Segment } from "./path-pattern.ts";
import { locateValues } from "../templates/segment-pattern.ts";

/** A path that is held against a template: the pattern, the template's text, and the path as written and as compared. */
type PathComparison = Readonly<{
  pattern: PathPattern;
  templateText: string;
  path: string;
  compared: ComparedText;
}>;

/** In words, where a path leaves its template; undefined when it fits. */
export function findPathMisfit(comparison: PathComparison): string | undefined {
  const { pattern, compared } = comparison;
  let start = 1;
  for (const [index, segment] of pattern.segments.entries()) {
    if (start > compared.text.length) return endsBefore(comparison, index);
    const end = endOfSegment(compared.text, start);
    if (!fitsSegment(segment, compared.text, start, end)) return differs(comparison, index, { start, end });
    start = end + 1;
  }
  return findEndMisfit(comparison, start);
}

function fitsSegment(segment: Segment, text: string, start: number, end: number): boolean {
  if (typeof segment === "string") return text.slice(start, end) === segment;
  return locateValues(segment, text, { start, end, reach: end, least: 1 }) !== undefined;
}

/** What is left of the path once all segments before the template's end are taken. */
function findEndMisfit(comparison: PathComparison, start: number): string | undefined {
  const { pattern, compared, path } = comparison;
  const { ending } = pattern;
  const { text } = compared;
  if (typeof ending === "object" && !isWholePlaceholder(ending)) {
    if (start > text.length) return endsBefore(comparison, pattern.segments.length);
    const stretch = stretchOfEnding(text, start);
    const located = locateValues(ending, text, stretch);
    return located === undefined ? differs(comparison, pattern.segments.length, stretch) : undefined;
  }
  if (endsWithTemplate(typeof ending === "object" ? "rest" : ending, text, start)) return undefined;
  const rest = cutOriginal(path, compared, start, text.length);
  if (rest === "") return "the path ends in a slash, the template does not";
  return `the path goes on with ${JSON.stringify(`/${rest}`)} where the template ends`;
}

function endsBefore({ templateText }: PathComparison, index: number): string {
  return `the path ends before segment ${index + 1}, which is ${templateSegment(templateText, index)} in the template`;
}

function differs(
  { templateText, path, compared }: PathComparison,
  index: number,
  { start, end }: Readonly<{ start: number; end: number }>,
): string {
  const found = cutOriginal(path, compared, start, end);
  const wanted = templateSegment(templateText, index);
  if (found === "") return `segment ${index + 1} is empty, the template has ${wanted}`;
  return `segment ${index + 1} is ${JSON.stringify(found)}, the template has ${wanted}`;
}

function templateSegment(text: string, index: number): string {
  return JSON.stringify(text.split("/")[index + 1] ?? "");
}
