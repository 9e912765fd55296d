/** Whether user code in JavaScript has given a header a value: one that is set to nothing is left out. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** What was given of a header's value: of a list, the values that are set to something. */
export function givenValue(value: string | string[]): string | string[] {
  return Array.isArray(value) ? value.filter(isGiven) : value;
}
