import type { Stream } from "node:stream";
import { guard, nextTurn } from "./guarded.ts";

const mostPerTurn = 16;

const due = new Set<() => void>();
let hasTurn = false;

/**
 * Calls back in a later turn of the event loop, in the order in which callers came, and few in each turn: what clients have
 * to do with many of their requests at the same time keeps no other client waiting.
 */
export function fewPerTurn(callback: () => void, hangsOn?: Stream): void {
  due.add(guard(callback, hangsOn));
  if (!hasTurn) nextTurn(callSome);
  hasTurn = true;
}

function callSome(): void {
  let left = mostPerTurn;
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
