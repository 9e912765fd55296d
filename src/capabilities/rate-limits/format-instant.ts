// A period may be longer than the calendar, and a year of more than four digits is written in a form that few clients read.
const firstInstant = Date.parse("0000-01-01T00:00:00.000Z");
const lastInstant = Date.parse("9999-12-31T23:59:59.999Z");
const mostTexts = 1_000;
const texts = new Map<number, string>();

/** Writes an instant as `2026-07-01T12:30:05.250Z`; a client that asks often in one period is told the same again and again. */
export function formatInstant(milliseconds: number): string {
  const instant = Math.max(firstInstant, Math.min(lastInstant, Math.floor(milliseconds)));
  const known = texts.get(instant);
  if (known !== undefined) return known;
  const text = new Date(instant).toISOString();
  if (texts.size === mostTexts) texts.clear();
  texts.set(instant, text);
  return text;
}
