/** Whether a value is nested no deeper than that: what is, by the thousand, would exhaust the stack of code that reads it. */
export function isWithinDepth(value: unknown, most: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (most <= 0) return false;
  const members: readonly unknown[] = Object.values(value);
  for (const member of members) if (!isWithinDepth(member, most - 1)) return false;
  return true;
}
