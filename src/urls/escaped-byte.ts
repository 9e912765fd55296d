const hexBase = 16;

/** The byte that the two characters behind a percent sign stand for; -1 where they are no hex digits. */
export function escapedByte(high: number, low: number): number {
  const first = digitOf(high);
  if (first === -1) return -1;
  const second = digitOf(low);
  return second === -1 ? -1 : first * hexBase + second;
}

/** Behind the end of a text there is NaN. */
function digitOf(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  const lower = unit | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
