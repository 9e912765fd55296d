import type { RequestRecord } from "../observing/observer.ts";

/** What counts as a failure: a stable code where the gateway has one; of an upstream's failure its status. */
export function errorOf({ error, status }: RequestRecord): string | undefined {
  if (error !== undefined) return error;
  return status >= 500 ? `status ${status} of the upstream` : undefined;
}
