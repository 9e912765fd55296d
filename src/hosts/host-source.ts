import type { Instance } from "./host.ts";

/**
 * Where a route's hosts come from. Each choice reads `present`: whoever finds hosts assigns a new list, and need not tell
 * anybody.
 */
export type HostSource = Readonly<{
  present: readonly Instance[];
  /** Whether `present` is the same for ever. */
  isFixed?: true;
}>;

/** A list of hosts that does not change. */
export function fixedSource(present: readonly Instance[]): HostSource {
  return { present, isFixed: true };
}
