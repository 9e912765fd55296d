import type { HostSeeker } from "./balancer.ts";
import { conditionOf } from "./host-condition.ts";
import type { RouteHost } from "./host.ts";

/**
 * The hosts that may be asked for a request: those that no breaker keeps it from, and of these, where there are any, those
 * that are up. A request that could not be sent again is the one that tries a host out only where it has no other.
 */
export function findCandidates(
  hosts: readonly RouteHost[],
  { framing }: Pick<HostSeeker, "framing">,
): readonly RouteHost[] {
  if (hosts.every((host) => conditionOf(host) === "up")) return hosts;
  const isRepeatable = framing.kind === "none";
  const admitting = hosts.filter(({ breaker }) => breaker?.admits(isRepeatable) ?? true);
  const open = admitting.length > 0 ? admitting : hosts.filter(({ breaker }) => breaker?.admits(true) ?? true);
  const up = open.filter(({ health }) => health?.isUp ?? true);
  return up.length > 0 ? up : open;
}
