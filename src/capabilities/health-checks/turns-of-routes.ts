import { addNewest, type ByAge, createByAge, removeAged } from "../../by-age.ts";
import { createQueue, joinQueue, leaveQueue, type Queue, takeFirst } from "../../queue.ts";
import { nextTurn } from "../../unattended/guarded.ts";

/** Begins a check as soon as there is room for it; what comes back makes room again, or waits no longer. */
export type TakeTurn = (group: object, begin: () => void) => () => void;

/** The checks that wait, by their groups; the group that has waited longest is the oldest. */
type Waiting = ByAge<Queue<() => void>, object>;

// Requests are served in between.
const mostPerTurn = 8;

/** Makes the turns of checks, of which so many are under way at the same time; groups that wait take turns, too. */
export function createCheckTurns(most: number): TakeTurn {
  const waiting: Waiting = createByAge();
  let free = most;
  let isFilling = false;

  return function takeTurn(group, begin) {
    let hasBegun = false;
    let isOver = false;
    if (free > 0 && waiting.oldest === undefined) start();
    else join(waiting, group, start);
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
    if (isFilling || free === 0 || waiting.oldest === undefined) return;
    isFilling = true;
    nextTurn(fill);
  }

  function fill(): void {
    isFilling = false;
    for (let begun = 0; free > 0 && begun < mostPerTurn && waiting.oldest !== undefined; begun += 1) {
      const { key: group, value: starts } = waiting.oldest;
      const start = takeFirst(starts)!;
      removeAged(waiting, group);
      // Behind all others.
      if (starts.oldest !== undefined) addNewest(waiting, group, starts);
      start();
    }
    fillSoon();
  }
}

function join(waiting: Waiting, group: object, start: () => void): void {
  const starts = waiting.entries.get(group)?.value ?? createQueue();
  joinQueue(starts, start);
  if (!waiting.entries.has(group)) addNewest(waiting, group, starts);
}

function forget(waiting: Waiting, group: object, start: () => void): void {
  const starts = waiting.entries.get(group)!.value;
  leaveQueue(starts, start);
  if (starts.oldest === undefined) removeAged(waiting, group);
}
