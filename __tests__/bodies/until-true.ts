import { setImmediate as nextTurn } from "node:timers/promises";

/** Longer than anything takes on a busy machine, and shorter than a test may. */
const milliseconds = 60_000;

/** Waits until something is so. It fails when that takes too long: a wait without an end goes on behind its test. */
export async function untilTrue(isSo: () => boolean): Promise<void> {
  const end = performance.now() + milliseconds;
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`After ${milliseconds} ms it is not so.`);
    await nextTurn();
  }
}
