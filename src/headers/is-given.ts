/** Whether user code in JavaScript has given a header a value: one that is set to nothing is left out. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
