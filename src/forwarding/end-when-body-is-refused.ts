import { refusalOf, whenRefused } from "../bodies/uploads/refused-upload.ts";
import type { Cancellation } from "../cancellation.ts";
import type { OutgoingRequest, UpstreamResponse } from "../delegating-handler.ts";

/** The body that a call has before any handler sees it, and what ends the call. */
type BeginningCall = Readonly<{ body: OutgoingRequest["body"]; cancellation: Pick<Cancellation, "cancel"> }>;

/**
 * Runs handlers until the gateway refuses the body that they were given, as one that is too long: that ends the call,
 * whatever they make of it. A stream of theirs need not hear of it, as `pipe()` hands no failure on: it would wait for the
 * rest for ever, and the upstream with it.
 */
export function endWhenBodyIsRefused(
  { body, cancellation }: BeginningCall,
  run: () => Promise<UpstreamResponse>,
): Promise<UpstreamResponse> {
  const earlier = refusalOf(body);
  if (earlier !== undefined) return Promise.reject(earlier);
  return new Promise((resolve, reject) => {
    whenRefused(body, (refusal) => {
      reject(refusal);
      cancellation.cancel(refusal);
    });
    run().then(resolve, reject);
  });
}
