import { locateValues, type SegmentPattern } from "../templates/segment-pattern.ts";
import { isWholePlaceholder, type PathPattern, type Segment } from "./path-pattern.ts";

/** Whether there may be a path that two patterns take, compared alike; it is said that there is one where that is not certain. */
export function mayShareAPath(one: PathPattern, other: PathPattern): boolean {
  const length = Math.min(one.segments.length, other.segments.length);
  for (let index = 0; index < length; index += 1) {
    if (!mayShareASegment(one.segments[index]!, other.segments[index]!)) return false;
  }
  return mayEndAlike(one, other.segments[length], other) && mayEndAlike(other, one.segments[length], one);
}

/** Whether one pattern is known to take all paths that another one takes. */
export function takesAllPathsOf(one: PathPattern, other: PathPattern): boolean {
  const { segments, ending } = one;
  if (!segments.every((segment, index) => takesAllOf(segment, other.segments[index]))) return false;
  if (typeof ending === "object" && isWholePlaceholder(ending)) return true;
  if (segments.length !== other.segments.length) return false;
  if (typeof ending === "object") return typeof other.ending === "object" && isSame(ending, other.ending);
  return other.ending === "literal" || other.ending === ending;
}

/** Whether two segments may take the same text. */
export function mayShareASegment(one: Segment, other: Segment): boolean {
  if (typeof one === "string") return typeof other === "string" ? one === other : takes(other, one);
  return typeof other === "string" ? takes(one, other) : mayBeAlike(one, other);
}

/** Whether a path may end as one pattern does, where another one goes on with a segment, or ends there, too. */
function mayEndAlike({ segments, ending }: PathPattern, next: Segment | undefined, other: PathPattern): boolean {
  if (segments.length > other.segments.length) return true;
  if (typeof ending === "string") {
    if (next !== undefined) return false;
    return typeof other.ending === "string" || other.ending.literals.every((literal) => literal === "");
  }
  if (isWholePlaceholder(ending)) return true;
  if (typeof next === "string") return next.startsWith(ending.literals[0]!);
  if (next !== undefined) return beginAlike(ending, next);
  return typeof other.ending === "string" || isWholePlaceholder(other.ending) || mayBeAlike(ending, other.ending);
}

function takesAllOf(one: Segment, other: Segment | undefined): boolean {
  if (other === undefined) return false;
  if (typeof one === "string") return one === other;
  if (typeof other === "string") return takes(one, other);
  return isWholePlaceholder(one) || isSame(one, other);
}

function takes(pattern: SegmentPattern, text: string): boolean {
  return locateValues(pattern, text, { start: 0, end: text.length, reach: text.length, least: 1 }) !== undefined;
}

function isSame(one: SegmentPattern, other: SegmentPattern): boolean {
  return one.literals.join("{}") === other.literals.join("{}");
}

function mayBeAlike(one: SegmentPattern, other: SegmentPattern): boolean {
  const [first, second] = [one.literals.at(-1)!, other.literals.at(-1)!];
  return beginAlike(one, other) && (first.endsWith(second) || second.endsWith(first));
}

function beginAlike({ literals: [one = ""] }: SegmentPattern, { literals: [other = ""] }: SegmentPattern): boolean {
  return one.startsWith(other) || other.startsWith(one);
}
