/** A segment of a path that is being searched for. */
export type PathSegment = {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Cut when first asked for: most searches end before the path does. */
  following: PathSegment | "not cut" | undefined;
};

/** The first segment of a path. */
export function firstSegment(path: string): PathSegment {
  return cutSegment(path, 1);
}

/** The segment after one; undefined at the end of the path. */
export function segmentAfter(segment: PathSegment, path: string): PathSegment | undefined {
  if (segment.following === "not cut") {
    segment.following = segment.end === path.length ? undefined : cutSegment(path, segment.end + 1);
  }
  return segment.following;
}

function cutSegment(path: string, start: number): PathSegment {
  const slash = path.indexOf("/", start);
  const end = slash === -1 ? path.length : slash;
  return { text: path.slice(start, end), start, end, following: "not cut" };
}
