/** How many of something have come since a moment, by the clock of `performance`. */
export type TallyOfSecond = { count: number; since: number };

const span = 1_000;

/** Counts one more; tells how many have come since the second began. */
export function countWithinSecond(tally: TallyOfSecond): number {
  const present = performance.now();
  if (present - tally.since >= span) Object.assign(tally, { count: 0, since: present });
  tally.count += 1;
  return tally.count;
}
