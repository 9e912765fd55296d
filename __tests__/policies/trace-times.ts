import type { TraceAnswer, TraceExchange } from "./trace.ts";

/** By how much times may differ, in seconds: the recorded ones hold what the requests themselves took. */
const tolerance = 0.3;

const moment = /^<now\+(-?[\d.]+)s>$/;
const span = /^<([\d.]+)>$/;
const upTo = /^<(\d+) s or less, with decimals>$/;
const anyMoment: readonly string[] = ["<time>", "<iso time>"];

/** An answer with the recorded words for the times in its headers, where they agree with what was recorded. */
export function agreeOnTimes({ answer, between }: TraceExchange, expected: TraceAnswer): TraceAnswer {
  const headers = Object.entries(answer.headers).map(([name, value]) => {
    const recorded = String(expected.headers[name]);
    return [name, agrees(name, String(value), { recorded, between }) ? recorded : value] as const;
  });
  return { ...answer, headers: Object.fromEntries(headers) };
}

type Recorded = Readonly<{ recorded: string; between: TraceExchange["between"] }>;

function agrees(name: string, value: string, { recorded, between = [0, 0] }: Recorded): boolean {
  if (name === "retry-after") return agreesOnWait(value, recorded);
  if (anyMoment.includes(recorded)) return Number.isFinite(Date.parse(value));
  const [, seconds] = moment.exec(recorded) ?? [];
  if (seconds === undefined) return false;
  const [sentAt, answeredAt] = between;
  const soonest = (Date.parse(value) - answeredAt) / 1_000 - tolerance;
  const latest = (Date.parse(value) - sentAt) / 1_000 + tolerance;
  return soonest <= Number(seconds) && Number(seconds) <= latest;
}

/** What was recorded with fractions is a whole number here, rounded up. */
function agreesOnWait(value: string, recorded: string): boolean {
  const [, longest] = upTo.exec(recorded) ?? [];
  if (longest !== undefined) return Number(value) >= 1 && Number(value) <= Number(longest);
  const [, seconds] = span.exec(recorded) ?? [];
  if (seconds === undefined) return false;
  const [least, most] = [Math.ceil(Number(seconds) - tolerance), Math.ceil(Number(seconds) + tolerance)];
  return /^\d+$/.test(value) && Number(value) >= Math.max(1, least) && Number(value) <= most;
}
