import { createDeadlines } from "./deadlines.ts";

/** Looks again and again whether something stands still; the function that comes back ends that. */
export type WatchStandstill = (standsStill: () => boolean, expire: () => void) => () => void;

const looksPerLimit = 4;

/** Makes the watch of all that may stand still equally long; `standsStill` compares with what it has seen the last time. */
export function createStandstillWatch(limit: number): WatchStandstill {
  const beginWait = createDeadlines(limit / looksPerLimit);
  return function watchStandstill(standsStill, expire) {
    let looksWithoutProgress = 0;
    let stop = beginWait(look);
    return () => stop();

    function look(): void {
      looksWithoutProgress = standsStill() ? looksWithoutProgress + 1 : 0;
      if (looksWithoutProgress >= looksPerLimit) expire();
      else stop = beginWait(look);
    }
  };
}
