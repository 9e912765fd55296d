/**
 * Listens to the promise of a callback that is asynchronous, though its type does not say so: no other code waits for
 * it.
 */
export function whenRejected(result: unknown, fail: (error: unknown) => void): void {
  if (result instanceof Promise) result.catch(fail);
}
