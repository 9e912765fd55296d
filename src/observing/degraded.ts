/** What a gateway does without at the moment: the first by name, and how many more there are. */
export type Degraded = Readonly<{ named: readonly string[]; unnamed: number }>;

/** Lists it as users read it. */
export function listDegraded({ named, unnamed }: Degraded): readonly string[] {
  return unnamed > 0 ? [...named, `${unnamed} more`] : named;
}

/**
 * Joins what several processes do without. Most of it is the same in all, and what is not named cannot be compared: there
 * are at least as many as in the process that does without most.
 */
export function joinDegraded(all: readonly Degraded[]): Degraded {
  if (all.length === 1) return all[0]!;
  const named = [...new Set(all.flatMap((one) => one.named))];
  const most = Math.max(...all.map((one) => one.named.length + one.unnamed));
  return { named, unnamed: Math.max(0, most - named.length) };
}
