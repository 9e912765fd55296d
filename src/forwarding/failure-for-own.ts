import type { Cancellation } from "../cancellation.ts";
import { type ErrorCode, GatewayError, UpstreamError } from "../errors.ts";

/** What a request ends with whose client is there no more. */
const endsOfClients: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["client-gone", "request-timeout"]);

/**
 * What a handler fails with, for its own client: a call that it shares among several ends with the client for whom it was
 * made, and to the others, who are still there, the upstream has failed.
 */
export function failureForOwn(failure: unknown, cancellation: Pick<Cancellation, "onCancel">): unknown {
  if (!(failure instanceof GatewayError) || !endsOfClients.has(failure.code)) return failure;
  return isOver(cancellation) ? failure : new UpstreamError("upstream-reset", message, { cause: failure });
}

const message = "The call was made for another client, and ended with that one.";

function isOver({ onCancel }: Pick<Cancellation, "onCancel">): boolean {
  let hasEnded = false;
  onCancel(() => (hasEnded = true));
  return hasEnded;
}
