let second = NaN;
let text = "";

/** Writes an instant as `2026-07-01T12:30:05.250Z`; those of the same second, as most are, share their beginning. */
export function formatInstant(milliseconds: number): string {
  const whole = Math.floor(milliseconds / 1_000);
  if (whole !== second) {
    text = new Date(whole * 1_000).toISOString().slice(0, -"000Z".length);
    second = whole;
  }
  return `${text}${String(Math.floor(milliseconds - whole * 1_000)).padStart(3, "0")}Z`;
}
