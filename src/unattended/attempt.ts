import type { Logger } from "../logging/logger.ts";
import { whenRejected } from "../when-rejected.ts";

/** Where a failing call of a user's code is logged, and in which words. */
type Attempted = Readonly<{ logger: Logger; failure: string }>;

/** Calls code of a user's: what it throws, at once or in a promise, is logged, and harms no request. */
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
