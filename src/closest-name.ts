const longestName = 64;
// Each is compared letter by letter: among very many, rather no hint than a long wait. No table of keys is as long.
const mostCandidates = 500;

/**
 * The candidate that a mistyped name most likely means; undefined where none is near. Words that both have do not bring
 * them nearer: `CorsOptions` is as far from `QoSOptions` as `Cors` from `QoS`.
 */
export function closestName(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > longestName) return undefined;
  const wanted = name.trim().toLowerCase();
  let closest: string | undefined;
  let best = mostEdits(wanted) + 1;
  const compared = Array.from(candidates).slice(0, mostCandidates);
  for (const candidate of compared) {
    if (Math.abs(candidate.length - wanted.length) >= best) continue;
    const distance = editDistance(wanted, candidate.toLowerCase(), best);
    if (distance >= best || !isNearInMeaning(name, candidate)) continue;
    closest = candidate;
    best = distance;
  }
  return closest ?? closestByBeginning(name, compared);
}

function mostEdits(text: string): number {
  return Math.max(1, Math.floor(text.length / 3));
}

/** Whether the edits are few also for what is left without the words that both begin and end with. */
function isNearInMeaning(name: string, candidate: string): boolean {
  const [own, others] = [wordsOf(name), wordsOf(candidate)];
  if (own.length === 1 || others.length === 1) return true;
  while (own.length > 0 && own[0] === others[0]) [own, others].forEach((words) => words.shift());
  while (own.length > 0 && own.at(-1) === others.at(-1)) [own, others].forEach((words) => words.pop());
  const [rest, other] = [own.join(""), others.join("")];
  return editDistance(rest, other) <= Math.max(mostEdits(rest), mostEdits(other));
}

/** `RouteIsCaseSensitive` has four words; a name without capitals is one. */
function wordsOf(name: string): string[] {
  return name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+/g)?.map((word) => word.toLowerCase()) ?? [];
}

const shortestBeginning = 4;
const shortestWord = 3;

/**
 * `--acknowledge-unsupported` for `--acknowledge`, `Methods` is none: one must be the whole beginning of the other. Fewer
 * letters must be whole words: `Ttl` for `TtlSeconds`.
 */
function closestByBeginning(name: string, candidates: readonly string[]): string | undefined {
  const wanted = name.trim().toLowerCase();
  return candidates.find((candidate) => {
    const other = candidate.toLowerCase();
    const shorter = Math.min(wanted.length, other.length);
    if (wanted.slice(0, shorter) !== other.slice(0, shorter)) return false;
    return shorter >= shortestBeginning || (shorter >= shortestWord && wordsOf(candidate)[0] === wanted);
  });
}

/** How many letters must be added, removed, replaced or swapped with their neighbour; once it is `enough`, any number that is. */
export function editDistance(from: string, to: string, enough = Infinity): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  let [leastBefore, least] = [0, 0];
  for (let row = 1; row <= from.length && (least < enough || leastBefore < enough); row += 1) {
    const current = [row];
    [leastBefore, least] = [least, row];
    for (let column = 1; column <= to.length; column += 1) {
      const isEqual = from[row - 1] === to[column - 1];
      const isSwap = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const replaced = previous[column - 1]! + (isEqual ? 0 : 1);
      const swapped = isSwap ? beforePrevious[column - 2]! + 1 : replaced;
      let edits = swapped < replaced ? swapped : replaced;
      if (previous[column]! < edits) edits = previous[column]! + 1;
      if (current[column - 1]! < edits) edits = current[column - 1]! + 1;
      current.push(edits);
      if (edits < least) least = edits;
    }
    beforePrevious = previous;
    previous = current;
  }
  // Where it ended early, this is not the distance, but all that follows is at least as far.
  return least < enough || leastBefore < enough ? previous[to.length]! : enough;
}
