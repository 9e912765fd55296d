import { addNewest, type ByAge, createByAge, removeAged } from "./by-age.ts";

/** Those that wait, in the order in which they came; each may leave before its turn comes. */
export type Queue<Waiter> = ByAge<Waiter, Waiter>;

/** Makes a queue in which nobody waits. */
export function createQueue<Waiter>(): Queue<Waiter> {
  return createByAge();
}

/** Puts a waiter behind all others. */
export function joinQueue<Waiter>(queue: Queue<Waiter>, waiter: Waiter): void {
  addNewest(queue, waiter, waiter);
}

/** Takes out a waiter, and tells whether it was there. */
export function leaveQueue<Waiter>(queue: Queue<Waiter>, waiter: Waiter): boolean {
  return removeAged(queue, waiter) !== undefined;
}

/** Takes out the waiter that came first. */
export function takeFirst<Waiter>(queue: Queue<Waiter>): Waiter | undefined {
  return queue.oldest && removeAged(queue, queue.oldest.key);
}
