import { setImmediate } from "node:timers/promises";

/** Work that can be put down at each of its yields, and taken up again. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

// Far below what a client notices, as garbage collection and the requests served in between come on top.
const sliceMilliseconds = 2;

/** Does all the work in one go. */
export function runAtOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Does the work slice by slice; before each of them the event loop serves requests. */
export async function runInSlices<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    await setImmediate();
    const end = performance.now() + sliceMilliseconds;
    do {
      const step = steps.next();
      if (step.done === true) return step.value;
    } while (performance.now() < end);
  }
}
