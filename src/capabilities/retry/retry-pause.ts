import type { Cancellation } from "../../cancellation.ts";
import { after } from "../../unattended/guarded.ts";

const firstPause = 25;
const longestPause = 250;

/** Waits longer each time, and each request otherwise long: those that failed together must not come back together. */
export function pauseBeforeRetry(count: number, { onCancel }: Pick<Cancellation, "onCancel">): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const milliseconds = Math.min(firstPause * 2 ** count, longestPause) * (0.5 + Math.random() / 2);
  const timer = after(milliseconds, resolve);
  onCancel((reason) => {
    clearTimeout(timer);
    reject(reason);
  });
  return promise;
}
