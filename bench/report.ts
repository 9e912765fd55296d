import type { Bound, Experiment } from "./experiments.ts";
import type { Row } from "./measure.ts";

/** What an experiment came to. */
export type Outcome = Readonly<{ experiment: string; rows: readonly Row[]; ratios: readonly Ratio[] }>;

/** A ratio of CPU times, and what it may be. */
export type Ratio = Bound & Readonly<{ ratio: number }>;

/** Sets the measured ratios beside their bounds; one whose subject is not installed is left out. */
export function judge({ name, bounds = [] }: Experiment, rows: readonly Row[]): Outcome {
  const ratios = bounds.flatMap((bound) => {
    const of = rows.find((row) => row.name === bound.of);
    const to = rows.find((row) => row.name === bound.to);
    return of === undefined || to === undefined ? [] : [{ ...bound, ratio: of.cpu / to.cpu }];
  });
  return { experiment: name, rows, ratios };
}

type Column = Readonly<{ title: string; cell: (row: Row, reference: Row) => string }>;

const columns: readonly Column[] = [
  { title: "contender", cell: ({ name }) => name },
  { title: "CPU µs/request", cell: ({ cpu }) => cpu.toFixed(1) },
  { title: "ratio", cell: ({ cpu }, reference) => (cpu / reference.cpu).toFixed(2) },
  { title: "requests/s", cell: ({ perSecond }) => String(Math.round(perSecond)) },
  { title: "p50 ms", cell: ({ p50 }) => p50.toFixed(2) },
  { title: "p99 ms", cell: ({ p99 }) => p99.toFixed(2) },
  { title: "memory MB", cell: ({ memory }) => String(Math.round(memory)) },
];

const referenceName = "raw undici proxy";

/** An outcome as a Markdown table; ratios are to the raw undici proxy, else to the first row. */
export function formatOutcome({ experiment, rows, ratios }: Outcome): string {
  const reference = rows.find(({ name }) => name === referenceName) ?? rows[0]!;
  const cells = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map(({ cell }) => cell(row, reference))),
  ];
  const widths = columns.map((_, column) => Math.max(...cells.map((line) => line[column]!.length)));
  const lines = cells.map((line) => formatLine(line, widths));
  const rule = formatLine(
    widths.map((width, column) => (column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)),
    widths,
  );
  const judged = ratios.map(
    (ratio) => `${isTooHigh(ratio) ? "TOO HIGH" : "ok"}: ${ratio.of} / ${ratio.to}: ${formatBound(ratio)}`,
  );
  return [`### ${experiment}`, "", lines[0]!, rule, ...lines.slice(1), "", ...judged, ""].join("\n");
}

function formatLine(line: readonly string[], widths: readonly number[]): string {
  const padded = line.map((text, column) =>
    column === 0 ? text.padEnd(widths[column]!) : text.padStart(widths[column]!),
  );
  return `| ${padded.join(" | ")} |`;
}

function formatBound({ ratio, atMost }: Ratio): string {
  return `${ratio.toFixed(2)} (at most ${atMost})`;
}

export function isTooHigh({ ratio, atMost }: Ratio): boolean {
  return ratio > atMost;
}
