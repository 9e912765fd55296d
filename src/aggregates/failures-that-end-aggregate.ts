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
