import type { HostState } from "./host.ts";

/** Whether a host is asked: like any other, not as its checks fail, not for a while as calls failed, or to try it out. */
export type HostCondition = "up" | "down" | "open" | "half-open";

/** The condition of a host. What calls have found goes before what checks find, as they are for this route alone. */
export function conditionOf({ breaker, health }: HostState): HostCondition {
  const state = breaker?.state() ?? "closed";
  if (state !== "closed") return state;
  return (health?.isUp ?? true) ? "up" : "down";
}
