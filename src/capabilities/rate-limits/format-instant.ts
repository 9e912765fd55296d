// A period may be longer than the calendar.
const lastInstant = 8_640_000_000_000_000;
const mostTexts = 1_000;
const texts = new Map<number, string>();

/** Writes an instant as `2026-07-01T12:30:05.250Z`; a client that asks often in one period is told the same again and again. */
export function formatInstant(milliseconds: number): string {
  const instant = Math.max(-lastInstant, Math.min(lastInstant, Math.floor(milliseconds)));
  const known = texts.get(instant);
  if (known !== undefined) return known;
  const text = new Date(instant).toISOString();
  if (texts.size === mostTexts) texts.clear();
  texts.set(instant, text);
  return text;
}
