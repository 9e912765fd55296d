// So many times as long as a piece of work has taken, something else may be done.
const timesAsLong = 9;

/** Milliseconds to rest after work that nothing else could be done beside: it takes a tenth of the time at most. */
export function restAfter(milliseconds: number): number {
  return milliseconds * timesAsLong;
}

/** Does some work, and tells how many milliseconds it took. */
export function measure(work: () => void): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}
