const longestName = 64;

/** The candidate that a mistyped name most likely means; undefined where none is near. */
export function closestKey(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > longestName) return undefined;
  const wanted = name.trim().toLowerCase();
  let closest: string | undefined;
  let best = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - wanted.length) >= best) continue;
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance >= best) continue;
    closest = candidate;
    best = distance;
  }
  return closest ?? closestByBeginning(wanted, candidates);
}

const shortestBeginning = 4;

/** `--acknowledge-unsupported` for `--acknowledge`, `Methods` is none: one must be the whole beginning of the other. */
function closestByBeginning(wanted: string, candidates: Iterable<string>): string | undefined {
  return Array.from(candidates).find((candidate) => {
    const other = candidate.toLowerCase();
    const shorter = Math.min(wanted.length, other.length);
    return shorter >= shortestBeginning && wanted.slice(0, shorter) === other.slice(0, shorter);
  });
}

/** How many letters must be added, removed, replaced or swapped with their neighbour. */
function editDistance(from: string, to: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const cost = from[row - 1] === to[column - 1] ? 0 : 1;
      const isSwap = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const swapped = isSwap ? beforePrevious[column - 2]! + 1 : Infinity;
      current.push(Math.min(previous[column]! + 1, current[column - 1]! + 1, previous[column - 1]! + cost, swapped));
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[to.length]!;
}
