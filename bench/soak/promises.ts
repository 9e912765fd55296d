import { type Ledger, linesExpected } from "./load.ts";
import type { Held } from "./subject.ts";

/** A promise, and what breaks it. */
export type Verdict = Readonly<{ promise: string; broken: readonly string[] }>;

/** All that was seen. */
export type Seen = Readonly<{
  ledger: Ledger;
  /** What the processes held at the start, after each quarter, and at the end. */
  held: readonly Held[];
  /** Whether one of several processes was killed in the second quarter. */
  wasKilled: boolean;
  linesOf: Uint8Array;
  isReloaded: boolean;
  disturbances: readonly string[];
}>;

/** With fewer requests a heap still grows to its size. */
const fewestForMemory = 20_000;
const mostGrowth = 1.05;
/** Bytes by which a heap differs from one collection of garbage to the next. */
const jitter: Readonly<Record<string, number>> = { heap: 2_000_000, resident: 20_000_000 };
const shown = 10;

/** What a soak must show. */
export function judgeSoak(seen: Seen): readonly Verdict[] {
  const { ledger, disturbances, isReloaded } = seen;
  return [
    {
      promise: "every request has its answer, but those that their client left",
      broken: findUnanswered(ledger).map(([outcome, count]) => `${count} times ${outcome}`),
    },
    { promise: "each matched request has exactly one line in the log", broken: findWrongLines(seen) },
    { promise: "no warning, rejection or uncaught exception, no error in the log", broken: disturbances },
    { promise: "handles, sockets and listeners are back to the start", broken: findMore(seen) },
    { promise: "memory after the last quarter is within 5 % of that after the second", broken: findGrowth(seen) },
    { promise: "the last reload is in force", broken: isReloaded ? [] : ["another version answers"] },
  ];
}

/** A verdict as it is printed. */
export function formatVerdict({ promise, broken }: Verdict): string {
  const more = broken.length > shown ? [`and ${broken.length - shown} more`] : [];
  return [`${broken.length === 0 ? "kept  " : "BROKEN"} ${promise}`, ...broken.slice(0, shown), ...more].join("\n  ");
}

/** What went wrong with requests, and how often. */
export function findUnanswered({ outcomes }: Ledger): [outcome: string, count: number][] {
  return [...outcomes].filter(([outcome]) => outcome.startsWith("failed"));
}

/** Requests whose lines in the log are too many or too few. */
export function findWrongLines({ ledger: { expected, next }, linesOf }: Seen): string[] {
  const wrong: string[] = [];
  for (let number = 0; number < next.number; number += 1) {
    const lines = linesOf[number]!;
    const isRight = expected[number] === linesExpected.atMostOne ? lines <= 1 : lines === expected[number];
    if (!isRight) wrong.push(`request ${number} has ${lines}`);
  }
  return wrong;
}

function findMore({ held }: Seen): string[] {
  const [base, last] = [held[0]!, held.at(-1)!];
  return Object.entries(last.counts)
    .filter(([name, count]) => count > (base.counts[name] ?? 0))
    .map(([name, count]) => `${name}: ${count} instead of ${base.counts[name] ?? 0}`);
}

function findGrowth({ held, ledger }: Seen): string[] {
  if (ledger.next.number < fewestForMemory) return [];
  const [second, last] = [held[2]!, held.at(-1)!];
  return Object.entries(last.memory)
    .filter(([name, bytes]) => bytes > second.memory[name]! * mostGrowth + (jitter[name] ?? 0))
    .map(([name, bytes]) => `${name}: ${bytes} bytes instead of ${second.memory[name]!}`);
}
