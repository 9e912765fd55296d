/** The longest wait that a timer of Node's can count: one that is set for longer fires at once. */
export const longestTimer = 2_147_483_647;

/** Seconds as a timer takes them. */
export function toMilliseconds(seconds: number): number {
  return Math.min(seconds * 1_000, longestTimer);
}
