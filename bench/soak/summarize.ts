import { lostWithProcess } from "./load.ts";
import type { SoakSettings } from "./run-soak.ts";
import { findUnanswered, findWrongLines, type Seen, type Verdict } from "./promises.ts";
import type { Held } from "./subject.ts";

type Run = Pick<SoakSettings, "engine" | "serve"> &
  Readonly<{ verdicts: readonly Verdict[]; seconds: number; reloads: number }>;

/** All figures of a run in one line: memory after the second quarter and at the end, all else at the start and the end. */
export function summarize(seen: Seen, { engine, serve = false, verdicts, seconds, reloads }: Run): string {
  const { ledger, linesOf, held, wasKilled, disturbances } = seen;
  const [start, end] = [held[0]!, held.at(-1)!];
  const broken = verdicts.filter((verdict) => verdict.broken.length > 0).length;
  const unanswered = findUnanswered(ledger).reduce((sum, [, count]) => sum + count, 0);
  const memory = Object.entries(end.memory).map(
    ([name, bytes]) => `${name} ${megabytes(held[2]!.memory[name])} → ${megabytes(bytes)} MB`,
  );
  const before = sumByKind(start);
  const counts = Object.entries(sumByKind(end)).map(([kind, count]) => `${kind} ${before[kind] ?? 0} → ${count}`);
  return [
    `${serve ? "serve" : "library"}, ${engine}: ${ledger.next.number} requests in ${Math.round(seconds)} s`,
    `${unanswered} without the right answer`,
    ...(wasKilled ? [`${ledger.outcomes.get(lostWithProcess) ?? 0} lost with the killed process`] : []),
    `${linesOf.reduce((sum, lines) => sum + lines, 0)} log lines, ${findWrongLines(seen).length} requests with too many or too few`,
    ...memory,
    ...counts,
    `${reloads} reloads`,
    `${disturbances.length} disturbances`,
    broken === 0 ? "all promises kept" : `${broken} promises BROKEN`,
  ].join(", ");
}

function megabytes(bytes = 0): string {
  return (bytes / 1_000_000).toFixed(1);
}

const kinds = ["sockets", "processes", "open files"];

/** Listeners have the name of their event behind a colon; what is none of the rest is a handle. */
function sumByKind({ counts }: Held): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [name, count] of Object.entries(counts)) {
    const kind = name.includes(": ") ? "listeners" : kinds.includes(name) ? name : "handles";
    sums[kind] = (sums[kind] ?? 0) + count;
  }
  return sums;
}
