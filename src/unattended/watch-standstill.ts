import { createDeadlines } from "./deadlines.ts";

/** Looks again and again whether something stands still; the function that comes back ends that. */
export type WatchStandstill = (standsStill: () => boolean, expire: () => void) => () => void;

const looksPerLimit = 4;

/** Makes the watch of all that may stand still equally long; `standsStill` compares with what it has seen the last time. */
export function createStandstillWatch(limit: number): WatchStandstill {
  const beginWait = createDeadlines(limit / looksPerLimit);
  return function watchStandstill(standsStill, expire) {
    let looksWithoutProgress = 0;
    let isOver = false;
    let stop = beginWait(look);
    return function endWatch() {
      isOver = true;
      stop();
    };

    function look(): void {
      looksWithoutProgress = standsStill() ? looksWithoutProgress + 1 : 0;
      // A look may end the watch itself.
      if (isOver) return;
      if (looksWithoutProgress >= looksPerLimit) expire();
      else stop = beginWait(look);
    }
  };
}
