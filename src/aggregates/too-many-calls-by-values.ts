import { UpstreamError } from "../errors.ts";

/** How many calls values may come to, unless the aggregate says otherwise. */
export const usualCalls = 100;

/** Refuses values of a first answer that ask for more calls than an aggregate may make. */
export function refuseTooManyCalls(count: number, mostCalls: number): void {
  if (count <= mostCalls) return;
  const found = `The first part's answer holds ${count} values, each of which asks for a call of another part`;
  throw new UpstreamError("aggregate-too-many", `${found}; at most ${mostCalls} are made.`);
}
