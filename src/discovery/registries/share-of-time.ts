import { sleep } from "../sleep.ts";

/** Waits until the next piece of work may begin, and notes what one has cost; milliseconds. */
export type ShareOfTime = Readonly<{ wait: (signal: AbortSignal) => Promise<void>; note: (took: number) => void }>;

// Three times as long as all of it has taken, something else may be done; nobody notices less than so many milliseconds.
const timesAsLong = 3;
const unnoticed = 30;

/** Makes the share of time that work of one kind may take, whoever asks for it and how often: a quarter. */
export function createShareOfTime(): ShareOfTime {
  let free = -Infinity;
  return { wait, note };

  async function wait(signal: AbortSignal): Promise<void> {
    while (free - performance.now() > unnoticed && !signal.aborted) await sleep(free - performance.now(), signal);
  }

  function note(took: number): void {
    free = Math.max(free, performance.now()) + took * timesAsLong;
  }
}
