import { createQueue, joinQueue, leaveQueue, takeFirst } from "./queue.ts";
import { after } from "./unattended/guarded.ts";

/**
 * Gets a turn as soon as there is one, and what hands it on; undefined where it has not come in time, or within so many
 * milliseconds where they are given.
 */
type TakeTurn = (within?: number) => Promise<(() => void) | undefined>;

/** Does work as soon as its turn comes, and tells what it came to; undefined where the turn has not come in that time. */
type InTurn = <Result>(work: () => Promise<Result>, within?: number) => Promise<Result | undefined>;

/**
 * Makes turns for work that costs much: so much of it at the same time, and the rest in the order in which it came. What
 * waits for longer than so many milliseconds is not done: who asks for it would have left, and others wait behind it.
 */
export function createWorkTurns(atOnce: number, patience: number): InTurn {
  const takeTurn = createTurns(atOnce, patience);

  return async function inTurn(work, within) {
    const handOn = await takeTurn(within);
    if (handOn === undefined) return undefined;
    try {
      return await work();
    } finally {
      handOn();
    }
  };
}

/** Makes such turns for work that begins in one place and ends in another: whoever has one hands it on, once. */
export function createTurns(atOnce: number, patience: number): TakeTurn {
  const waiting = createQueue<() => void>();
  let free = atOnce;

  return async function takeTurn(within = patience) {
    if (free > 0) free -= 1;
    else if (!(await comesWithin(within))) return undefined;
    return handOn;
  };

  function handOn(): void {
    const next = takeFirst(waiting);
    // A turn is handed on: whoever comes in between would take it otherwise.
    if (next === undefined) free += 1;
    else next();
  }

  function comesWithin(milliseconds: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = after(milliseconds, () => leave(false)).unref();
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
