import type { Logger } from "./logging/logger.ts";
import { whenRejected } from "./when-rejected.ts";

/** The reason for the end of an exchange that went well. */
export const exchangeIsOver = new Error("The exchange is over.");

/** Ends what an exchange has begun, once. */
export type Cancellation = Readonly<{
  onCancel: (listener: (reason: Error) => void) => void;
  /** Whether this call was the one that ended it. */
  cancel: (reason: Error) => boolean;
  /** Learns of listeners that fail. */
  logger: Logger;
}>;

type Listener = (reason: Error) => unknown;

/** Makes the cancellation of one exchange; a listener that comes late is called at once. */
export function createCancellation(logger: Logger): Cancellation {
  const listeners: Listener[] = [];
  let cancelled: Error | undefined;
  return { onCancel, cancel, logger };

  function onCancel(listener: Listener): void {
    if (cancelled === undefined) listeners.push(listener);
    else tell(listener, cancelled, logger);
  }

  function cancel(reason: Error): boolean {
    if (cancelled !== undefined) return false;
    cancelled = reason;
    for (const listener of listeners) tell(listener, reason, logger);
    return true;
  }
}

/** Makes the cancellation of a part of an exchange: it ends with the exchange, and may end before it. */
export function createInnerCancellation(outer: Cancellation): Cancellation {
  const inner = createCancellation(outer.logger);
  outer.onCancel(inner.cancel);
  return inner;
}

/** A listener of a user's engine may throw: the other listeners still hear, and the caller goes on. */
function tell(listener: Listener, reason: Error, logger: Logger): void {
  try {
    whenRejected(listener(reason), (error) => logFailedListener(error, logger));
  } catch (error) {
    logFailedListener(error, logger);
  }
}

function logFailedListener(error: unknown, logger: Logger): void {
  logger.error({ err: error }, "A listener for the end of a request failed; requests go on.");
}
