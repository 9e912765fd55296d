import { longestSpan } from "../../stores/store.ts";

const factors: Readonly<Record<string, number>> = {
  "": 1,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

const periodForm = /^\s*(\d+(?:\.\d+)?)(ms|s|m|h|d)\s*$/;
const waitForm = /^\s*(\d+(?:\.\d+)?)(ms|s|m|h|d|)\s*$/i;

/** What a text says as a period, in milliseconds: `500ms`, `1.5m`, `30d`; undefined for anything else, and for none. */
export function readPeriod(text: string): number | undefined {
  const span = readSpan(text, periodForm);
  return span === 0 ? undefined : span;
}

/** What a text says as a wait, in milliseconds: without a unit it is in milliseconds, and it may be 0. */
export function readWait(text: string): number | undefined {
  return readSpan(text, waitForm);
}

function readSpan(text: string, form: RegExp): number | undefined {
  const [, digits, unit = ""] = form.exec(text) ?? [];
  const span = Number(digits) * factors[unit.toLowerCase()]!;
  return Number.isFinite(span) ? Math.min(longestSpan, span) : undefined;
}
