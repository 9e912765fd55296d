import { types } from "node:util";

/** Whether a callback was asynchronous, though its type does not say so; promises of another realm count as well. */
export function isPromise(result: unknown): result is Promise<unknown> {
  return types.isPromise(result);
}

/**
 * Listens to the promise of a callback that is asynchronous, though its type does not say so: no other code waits for
 * it.
 */
export function whenRejected(result: unknown, fail: (error: unknown) => void): void {
  if (isPromise(result)) result.catch(fail);
}

/** Lets a promise fail that nobody asked for: what a callback returned is refused as it is, whatever becomes of it. */
export function ignoreRejection(result: unknown): void {
  whenRejected(result, () => undefined);
}
