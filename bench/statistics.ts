/** The middle of numbers, or what lies between the two in the middle. */
export function median(numbers: readonly number[]): number {
  const sorted = inOrder(numbers);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Between which two of the numbers the median lies that endless rounds would give, in 19 of 20 cases. */
export function medianRange(numbers: readonly number[]): Readonly<{ low: number; high: number }> {
  const sorted = inOrder(numbers);
  const half = sorted.length / 2;
  const away = 0.98 * Math.sqrt(sorted.length);
  return {
    low: sorted[Math.max(0, Math.floor(half - away))]!,
    high: sorted[Math.min(sorted.length - 1, Math.ceil(half + away) - 1)]!,
  };
}

function inOrder(numbers: readonly number[]): number[] {
  return numbers.toSorted((one, other) => one - other);
}
