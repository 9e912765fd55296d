import type { Logger } from "../logging/logger.ts";
import { whenRejected } from "../when-rejected.ts";

/** How a call of somebody else's code is told about when it fails. */
export type Attempted = Readonly<{ logger: Logger; failure: string }>;

/** Calls what somebody else wrote: what it throws, now or in a promise, is logged and harms nobody. */
export function attempt<Result>({ logger, failure }: Attempted, run: () => Result): Result | undefined {
  try {
    const result = run();
    whenRejected(result, log);
    return result;
  } catch (error) {
    log(error);
    return undefined;
  }

  function log(error: unknown): void {
    logger.error({ err: error }, failure);
  }
}
