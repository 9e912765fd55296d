import { GatewayError, UpstreamError } from "../errors.ts";

/** The error of an upstream's answer that ends before its end; a reason of the gateway's own stays the reason. */
export function brokenOff(cause: Error | null): GatewayError {
  if (cause instanceof GatewayError) return cause;
  return new UpstreamError("upstream-reset", "The upstream closed the connection in the middle of its answer.", {
    cause,
  });
}
