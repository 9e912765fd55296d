import type { Kind } from "./plan-request.ts";

/** What its processes hold when nothing is under way. */
export type Held = Readonly<{
  /** Bytes, by what they are counted as. */
  memory: Readonly<Record<string, number>>;
  /** What must be back to where it was: handles, sockets, listeners, by name. */
  counts: Readonly<Record<string, number>>;
}>;

/** A gateway in processes of its own, with everything on. */
export type Subject = Readonly<{
  ports: readonly number[];
  /** Whether every answer tells which request it is for, and not only those of the upstream. */
  isNamed: boolean;
  /** How many lines of the log speak of a request that no route takes. */
  linesOfUnmatched: 0 | 1;
  /** What it is not asked for. */
  without: readonly Kind[];
  /** Warnings, rejections, uncaught exceptions, errors in the log. */
  disturbances: readonly string[];
  /** Puts another configuration into force, and tells its version. */
  reload: () => Promise<number>;
  /** Ends one of several processes, and waits until the others know; undefined where there is one. */
  killOne: (() => Promise<void>) | undefined;
  /** Waits until nothing is under way any more. */
  settle: () => Promise<void>;
  hold: () => Promise<Held>;
  /** How many lines of the log speak of each number. */
  linesOf: () => Promise<Uint8Array>;
  stop: () => Promise<void>;
}>;

/** Of all its processes. */
export const openFiles = "open files";

/** How long what is under way may take to end. */
export const settleMilliseconds = 20_000;

/** More of them say nothing new. */
const mostDisturbances = 1_000;

/** Keeps a disturbance, unless there are many already. */
export function addDisturbance(disturbances: string[], ...more: readonly string[]): void {
  for (const one of more) if (disturbances.length < mostDisturbances) disturbances.push(one);
}

/** How many there are of each. */
export function countEach(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
