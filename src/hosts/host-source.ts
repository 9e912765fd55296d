import type { Instance } from "./host.ts";

/**
 * Where a route's hosts come from. Each choice reads `present`: whoever finds hosts assigns a new list, and need not tell
 * anybody.
 */
export type HostSource = Readonly<{
  present: readonly Instance[];
  /** Whether `present` is the same for ever. */
  isFixed?: true;
  /**
   * Asked before each choice: undefined where `present` counts, else a promise of that moment, which fails where it does not
   * come; throws where it is known that it does not. Without it `present` always counts.
   */
  ready?: () => Promise<void> | undefined;
  /** Hears for how many milliseconds a route has worked at its list of `present`: whoever tells another one lets others go on. */
  noteListing?: (took: number) => void;
}>;

/** A list of hosts that does not change. */
export function fixedSource(present: readonly Instance[]): HostSource {
  return { present, isFixed: true };
}
