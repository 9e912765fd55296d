import { secretMask } from "./secret-names.ts";

/** A stretch of a text. */
export type Span = Readonly<{ start: number; end: number }>;

/** The text with `***`, or what else `mask` makes of it, in the place of each span; spans that touch or overlap are one. */
export function maskSpans(text: string, spans: readonly Span[], mask: (secret: string) => string = toMask): string {
  if (spans.length === 0) return text;
  let shown = "";
  let [shownTo, start, end] = [0, 0, 0];
  for (const span of spans.toSorted((one, other) => one.start - other.start)) {
    if (span.end <= span.start) continue;
    if (span.start > end || start === end) {
      showMasked();
      start = span.start;
    }
    end = Math.max(end, span.end);
  }
  showMasked();
  return shown + text.slice(shownTo);

  function showMasked(): void {
    if (start === end) return;
    shown += text.slice(shownTo, start) + mask(text.slice(start, end));
    shownTo = end;
  }
}

function toMask(): string {
  return secretMask;
}
