import { runInSlices, type Steps, timed } from "./time-slices.ts";

// So many times as long as a piece of work has taken, something else may be done.
const timesAsLong = 9;
// Some systems count by so many milliseconds for how long a process has worked.
const leastCounted = 16;

/** Milliseconds to rest after work that nothing else could be done beside: it takes a tenth of the time at most. */
export function restAfter(milliseconds: number): number {
  return milliseconds * timesAsLong;
}

/** Does some work, and tells how many milliseconds it took. */
export function measure(work: () => void): number {
  const began = performance.now();
  const withoutWaiting = beginToCount();
  work();
  return withoutWaiting(performance.now() - began);
}

/** Does work slice by slice, and tells what it came to, and how many milliseconds all slices took. */
export async function measureInSlices<Result>(
  steps: Steps<Result>,
): Promise<Readonly<{ result: Result; took: number }>> {
  let took = 0;
  const withoutWaiting = beginToCount();
  const result = await runInSlices(timed(steps, (milliseconds) => (took += milliseconds)));
  return { result, took: withoutWaiting(took) };
}

/**
 * Begins to count for how long this process works. What takes longer by the clock was put aside in between: after that a
 * rest would come on top, and be many times as long.
 */
function beginToCount(): (milliseconds: number) => number {
  const before = workedSoFar();
  return (milliseconds) => Math.min(milliseconds, Math.max(leastCounted, workedSoFar() - before));
}

function workedSoFar(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
