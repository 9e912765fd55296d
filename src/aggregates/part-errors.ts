import { ConfiguredRefusal, GatewayError, PartError, UpstreamError } from "../errors.ts";

/** What an aggregate fails with where a part does: a refusal whose words the configuration says keeps them. */
export function partFailed(key: string, reason: unknown): unknown {
  if (!(reason instanceof GatewayError) || reason instanceof ConfiguredRefusal || reason instanceof PartError)
    return reason;
  return new PartError(key, reason);
}

/** The error for a part whose answer cannot become a member of the whole. */
export function partIllFormed(key: string, what: string, cause?: unknown): UpstreamError {
  const message = `The answer of the part ${JSON.stringify(key)} ${what}.`;
  return new UpstreamError("part-ill-formed", message, { cause });
}
