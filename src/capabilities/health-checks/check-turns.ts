import { nextTurn } from "../../unattended/guarded.ts";

/** Begins a check as soon as there is room for it; what comes back makes room again, or waits no longer. */
export type TakeTurn = (group: object, begin: () => void) => () => void;

// Requests are served in between.
const mostPerTurn = 8;

/** Makes the turns of checks, of which so many are under way at the same time; groups that wait take turns, too. */
export function createCheckTurns(most: number): TakeTurn {
  const waiting = new Map<object, Set<() => void>>();
  let free = most;
  let isFilling = false;

  return function takeTurn(group, begin) {
    let hasBegun = false;
    let isOver = false;
    if (free > 0 && waiting.size === 0) start();
    else waiting.set(group, (waiting.get(group) ?? new Set()).add(start));
    return leave;

    function start(): void {
      free -= 1;
      hasBegun = true;
      begin();
    }

    function leave(): void {
      if (isOver) return;
      isOver = true;
      if (hasBegun) makeRoom();
      else forget(waiting, group, start);
    }
  };

  function makeRoom(): void {
    free += 1;
    fillSoon();
  }

  /** Of those that wait, many may be about to give up. */
  function fillSoon(): void {
    if (isFilling || free === 0 || waiting.size === 0) return;
    isFilling = true;
    nextTurn(fill);
  }

  function fill(): void {
    isFilling = false;
    let begun = 0;
    for (const [group, starts] of waiting) {
      if (free === 0 || begun === mostPerTurn) break;
      begun += 1;
      const [start] = starts;
      waiting.delete(group);
      starts.delete(start!);
      // Behind all others: this loop comes to it once more.
      if (starts.size > 0) waiting.set(group, starts);
      start!();
    }
    fillSoon();
  }
}

function forget(waiting: Map<object, Set<() => void>>, group: object, start: () => void): void {
  const starts = waiting.get(group)!;
  starts.delete(start);
  if (starts.size === 0) waiting.delete(group);
}
