/** A callback may be asynchronous, though its type does not say so: nobody else waits for what comes of it. */
export function whenRejected(result: unknown, fail: (error: unknown) => void): void {
  if (result instanceof Promise) result.catch(fail);
}
