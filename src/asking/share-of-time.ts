import { measure } from "../rest-after-work.ts";
import { sleep } from "../sleep.ts";

/** The part of the time that work of one kind may take, whoever asks for it; milliseconds. */
export type ShareOfTime = Readonly<{
  /** Whether the next piece of work may begin. */
  isFree: () => boolean;
  /** Waits until it may. */
  wait: (signal: AbortSignal) => Promise<void>;
  /** Notes what a piece of work has cost. */
  note: (took: number) => void;
  /** Does a piece of work, notes what it has cost, and tells it. */
  spend: (work: () => void) => number;
}>;

// Three times as long as all of it has taken, something else may be done; nobody notices less than so many milliseconds.
const timesAsLong = 3;
const unnoticed = 30;

/** Makes the share of time that work of one kind may take, whoever asks for it and how often: a quarter. */
export function createShareOfTime(): ShareOfTime {
  let free = -Infinity;
  return { isFree, wait, note, spend };

  function isFree(): boolean {
    return free - performance.now() <= unnoticed;
  }

  async function wait(signal: AbortSignal): Promise<void> {
    while (!isFree() && !signal.aborted) await sleep(free - performance.now(), signal);
  }

  function note(took: number): void {
    free = Math.max(free, performance.now()) + took * timesAsLong;
  }

  function spend(work: () => void): number {
    const took = measure(work);
    note(took);
    return took;
  }
}
