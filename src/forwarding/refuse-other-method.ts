import type { GatewayError } from "../errors.ts";
import { preflightMethod } from "../identity/preflight.ts";
import type { AskingRequest } from "./call.ts";

/**
 * What a call is refused with because of its method: who came past a lock as a CORS preflight has shown no credential, and
 * gets nothing but OPTIONS, whatever middleware, a handler or a redirect makes of it. Undefined where it may be sent.
 */
export function refusalOfMethod(
  method: string,
  { refuseOtherMethod }: Pick<AskingRequest, "refuseOtherMethod">,
): GatewayError | undefined {
  return method === preflightMethod ? undefined : refuseOtherMethod?.();
}
