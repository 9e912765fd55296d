import { createQueue, joinQueue, leaveQueue, takeFirst } from "./queue.ts";
import { after } from "./unattended/guarded.ts";

/** Does work as soon as its turn comes, and tells what it came to; undefined where the turn has not come in time. */
type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result | undefined>;

/**
 * Makes turns for work that costs much: so much of it at the same time, and the rest in the order in which it came. What
 * waits for longer than so many milliseconds is not done: who asks for it would have left, and others wait behind it.
 */
export function createWorkTurns(atOnce: number, patience: number): InTurn {
  const waiting = createQueue<() => void>();
  let free = atOnce;
  return inTurn;

  async function inTurn<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    if (free > 0) free -= 1;
    else if (!(await comesInTime())) return undefined;
    try {
      return await work();
    } finally {
      const next = takeFirst(waiting);
      // A turn is handed on: whoever comes in between would take it otherwise.
      if (next === undefined) free += 1;
      else next();
    }
  }

  function comesInTime(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = after(patience, () => leave(false)).unref();
      const come = (): void => leave(true);
      joinQueue(waiting, come);

      function leave(isInTime: boolean): void {
        clearTimeout(timer);
        leaveQueue(waiting, come);
        resolve(isInTime);
      }
    });
  }
}
