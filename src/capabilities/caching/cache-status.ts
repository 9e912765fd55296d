import type { Headers } from "../../delegating-handler.ts";
import { joinLines } from "./cache-control.ts";
import type { PassingReason } from "./bypass-reason.ts";

/** Of a request that nothing kept was given for at once. */
export type Miss = Readonly<{
  result: "miss";
  fwd: "uri-miss" | "vary-miss" | "stale";
  /** What the service has answered, where the client gets something else. */
  fwdStatus?: number | undefined;
  isStored?: boolean | undefined;
  /** What was kept is given in place of a failure. */
  isForFailure?: boolean;
  isCollapsed?: boolean;
}>;

/** What a cache did for a request. */
export type CacheOutcome =
  Readonly<{ result: "hit"; ttl: number }> | Miss | (Readonly<{ result: "bypass" }> & PassingReason);

/** Tells in an answer what the cache did, as RFC 9211 has it, behind what caches nearer to the service tell. */
export function tellOutcome(headers: Headers, outcome: CacheOutcome): void {
  const earlier = joinLines(headers["cache-status"]);
  const own = `waymark; ${describe(outcome)}`;
  headers["cache-status"] = earlier === undefined || earlier === "" ? own : `${earlier}, ${own}`;
}

function describe(outcome: CacheOutcome): string {
  if (outcome.result === "hit") return `hit; ttl=${Math.ceil(outcome.ttl / 1_000)}`;
  if (outcome.result === "bypass")
    return outcome.detail === undefined ? `fwd=${outcome.fwd}` : `fwd=${outcome.fwd}; detail=${outcome.detail}`;
  const { fwd, fwdStatus, isStored = false, isCollapsed = false } = outcome;
  return [
    `fwd=${fwd}`,
    ...(fwdStatus === undefined ? [] : [`fwd-status=${fwdStatus}`]),
    ...(isStored ? ["stored"] : []),
    ...(isCollapsed ? ["collapsed"] : []),
  ].join("; ");
}
