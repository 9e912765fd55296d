import { secretMask } from "./secret-names.ts";

/** A stretch of a text. */
export type Span = Readonly<{ start: number; end: number }>;

/** The text with `***` in the place of each span; spans that touch or overlap are one. */
export function maskSpans(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  let shown = "";
  let end = 0;
  let maskedAt = -1;
  for (const span of spans.toSorted((one, other) => one.start - other.start)) {
    if (span.end <= span.start) continue;
    if (span.start > end || maskedAt !== end) {
      shown += text.slice(end, Math.max(end, span.start)) + secretMask;
    }
    end = Math.max(end, span.end);
    maskedAt = end;
  }
  return shown + text.slice(end);
}
