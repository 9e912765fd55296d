import { ConfiguredRefusal, PartError, UpstreamError } from "../../errors.ts";

/** The status of time-outs, where it is not their own. */
export type TimeoutStatus = 503 | undefined;

/** The error that clients see: of a time-out the one with the status that the configuration says. */
export function withTimeoutStatus(error: Error, status: TimeoutStatus): Error {
  if (status === undefined || !isTimeout(error)) return error;
  const { code, message, cause } = error;
  return new ConfiguredRefusal(code, message, { status, cause });
}

function isTimeout(error: unknown): error is UpstreamError | PartError {
  if (error instanceof PartError) return isTimeout(error.cause);
  return error instanceof UpstreamError && error.status === 504;
}
