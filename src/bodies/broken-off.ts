import { GatewayError, UpstreamError } from "../errors.ts";

/** The error for an upstream's answer that breaks off; a reason that the gateway itself has given stays the reason. */
export function brokenOff(cause: Error | null): GatewayError {
  if (cause instanceof GatewayError) return cause;
  return new UpstreamError("upstream-reset", "The upstream closed the connection in the middle of its answer.", {
    cause,
  });
}
