import type { AnyResponse } from "../answers/upstream-response.ts";
import { knownLength } from "../bodies/with-code/stream-for-gateway.ts";
import type { GatewayError } from "../errors.ts";
import type { AskingRequest } from "./call.ts";

/**
 * What an answer of delegating handlers is refused with because it is theirs alone: who came past a lock as a CORS preflight
 * has shown no credential, and gets nothing but what comes of OPTIONS, or an answer without a body. Undefined where it may be
 * given.
 */
export function refusalOfOwnAnswer(
  answer: AnyResponse,
  { refuseOtherMethod, hasAskedAsPreflight }: Pick<AskingRequest, "refuseOtherMethod" | "hasAskedAsPreflight">,
): GatewayError | undefined {
  if (hasAskedAsPreflight === true || answer[knownLength] === 0) return undefined;
  return refuseOtherMethod?.();
}
