import { goOnInSlices } from "./slice-per-turn.ts";
import { workedMilliseconds } from "./worked-milliseconds.ts";

/** Work that can be put down at each of its yields, and taken up again. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** Does all the work in one go. */
export function runAtOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Finds those of a list that fit, one in each step. */
export function* filterInSteps<Item>(items: readonly Item[], fits: (item: Item) => boolean): Steps<readonly Item[]> {
  const found: Item[] = [];
  for (const item of items) {
    yield;
    if (fits(item)) found.push(item);
  }
  return found;
}

/** Does the work slice by slice; before each of them the event loop serves requests. */
export async function runInSlices<Result>(steps: Steps<Result>): Promise<Result> {
  return (await runWithin(steps, Infinity)) as Result;
}

/** Does so as long as the work of all slices together takes no longer than that; undefined where it would. */
export function runWithin<Result>(steps: Steps<Result>, milliseconds: number): Promise<Result | undefined> {
  let left = milliseconds;
  return new Promise((resolve, reject) => {
    // Whatever the work throws.
    const fail: (reason: unknown) => void = reject;
    goOnInSlices(function goOn(until) {
      try {
        const outcome = runUntil(Math.min(until, performance.now() + left));
        if (outcome === undefined && left > 0) return false;
        resolve(outcome?.result);
      } catch (error) {
        fail(error);
      }
      return true;
    });
  });

  function runUntil(end: number): Readonly<{ result: Result }> | undefined {
    const before = workedMilliseconds();
    do {
      const step = steps.next();
      if (step.done === true) return { result: step.value };
    } while (performance.now() < end);
    left -= workedMilliseconds() - before;
    return undefined;
  }
}

/** The same work, of which each step tells how many milliseconds it has taken. */
export function* timed<Result>(steps: Steps<Result>, took: (milliseconds: number) => void): Steps<Result> {
  for (;;) {
    const began = performance.now();
    const step = steps.next();
    took(performance.now() - began);
    if (step.done === true) return step.value;
    yield;
  }
}
