/** Whether a value is nested no deeper than that: what is, by the thousand, would exhaust the stack of code that reads it. */
export function isWithinDepth(value: unknown, most: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return most > 0 && Object.values(value).every((inner) => isWithinDepth(inner, most - 1));
}
