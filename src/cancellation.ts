/** Ends what an exchange has begun, once. */
export type Cancellation = Readonly<{
  onCancel: (listener: (reason: Error) => void) => void;
  /** Whether this call was the one that ended it. */
  cancel: (reason: Error) => boolean;
}>;

/** Makes the cancellation of one exchange; a listener that comes late is called at once. */
export function createCancellation(): Cancellation {
  const listeners: ((reason: Error) => void)[] = [];
  let cancelled: Error | undefined;
  return { onCancel, cancel };

  function onCancel(listener: (reason: Error) => void): void {
    if (cancelled === undefined) listeners.push(listener);
    else listener(cancelled);
  }

  function cancel(reason: Error): boolean {
    if (cancelled !== undefined) return false;
    cancelled = reason;
    for (const listener of listeners) listener(reason);
    return true;
  }
}
