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

// What a lock or a limit has refused is no gap in the data.
const locked: ReadonlySet<number> = new Set([401, 403, 429]);

/** Whether a part that fails with a status ends the whole aggregate, even where `null` stands in for parts that fail. */
export function endsAggregate(status: number): boolean {
  return locked.has(status);
}

/** The status that the failure of a part stands for, as Express reads it. */
export function statusOfFailure(reason: unknown): number {
  const { status } = (reason ?? {}) as Readonly<{ status?: unknown }>;
  return typeof status === "number" && status >= 400 && status <= 599 ? status : 500;
}
