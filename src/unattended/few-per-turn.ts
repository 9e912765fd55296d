import type { Stream } from "node:stream";
import { inPresentContext } from "../in-present-context.ts";
import { guard, nextTurn } from "./guarded.ts";

/** Calls back in a later turn of the event loop; when that throws, `hangsOn` is destroyed. */
type InLaterTurn = (callback: () => void, hangsOn?: Stream) => void;

/**
 * Makes a line of callbacks, which are called in the order in which they came, and few in each turn of the event loop: what
 * clients have to do with many requests at the same time keeps no other client waiting.
 */
export function createFewPerTurn(most: number): InLaterTurn {
  const due = new Set<() => void>();
  let hasTurn = false;

  return function fewPerTurn(callback, hangsOn) {
    const run = inPresentContext();
    due.add(() => run(guard(callback, hangsOn)));
    if (!hasTurn) nextTurn(callSome);
    hasTurn = true;
  };

  function callSome(): void {
    let left = most;
    // Of those that come meanwhile some may have their turn at once, behind all others.
    for (const callback of due) {
      due.delete(callback);
      callback();
      left -= 1;
      if (left === 0) break;
    }
    hasTurn = due.size > 0;
    if (hasTurn) nextTurn(callSome);
  }
}

/** The line of requests that clients have sent many of at the same time. */
export const fewPerTurn = createFewPerTurn(16);
