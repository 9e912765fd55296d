import type { PathShape } from "./path-shape.ts";

/** The kinds of segments, the most specific first; a path that ends comes before all, one that is open after all. */
const ranks = { end: 0, literal: 1, mixed: 2, any: 3, open: 4 } as const;

/** Below 0 where the first of two shapes is more specific: the first segment that differs in kind decides. */
export function compareHowSpecific(one: PathShape, other: PathShape): number {
  const length = Math.max(one.segments.length, other.segments.length) + 1;
  for (let index = 0; index < length; index += 1) {
    const difference = rankAt(one, index) - rankAt(other, index);
    if (difference !== 0) return difference;
  }
  return 0;
}

function rankAt({ segments, isOpen }: PathShape, index: number): number {
  const segment = segments[index];
  if (segment !== undefined) return ranks[segment.kind];
  return isOpen ? ranks.open : ranks.end;
}
