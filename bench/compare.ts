import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { drawChart } from "./chart.ts";
import { type Experiment, experiments } from "./experiments.ts";
import { measureExperiment, type Plan } from "./measure.ts";
import { pinning } from "./processes.ts";
import { formatOutcome, isTooHigh, judge, type Outcome } from "./report.ts";

const plans = {
  quick: { rounds: 3, milliseconds: 300, warmUp: 6_000, connections: 50 },
  full: { rounds: 7, milliseconds: 2_000, warmUp: 30_000, connections: 50 },
} as const satisfies Record<string, Plan>;

/** Measures the contenders; returns whether every ratio is within its bound. */
export async function compare(quick: boolean, only: string | undefined): Promise<boolean> {
  const plan = quick ? plans.quick : plans.full;
  const machine = { node: process.version, cpu: cpus()[0]?.model ?? "unknown", cores: cpus().length, pinning };
  console.log(`Node ${machine.node}, ${machine.cores} cores, ${machine.cpu}. Pinned: ${pinning}.\n`);
  const outcomes: Outcome[] = [];
  for (const experiment of experiments.filter(isChosen)) {
    const outcome = judge(experiment, await measureExperiment(experiment, plan));
    console.log(formatOutcome(outcome));
    outcomes.push(outcome);
  }
  writeResults(outcomes, { ...machine, ...plan, date: new Date().toISOString() });
  return outcomes.every(({ ratios }) => !ratios.some(isTooHigh));

  function isChosen({ name, quick: isQuick }: Experiment): boolean {
    return only === undefined ? !quick || isQuick : name === only;
  }
}

function writeResults(outcomes: readonly Outcome[], circumstances: object): void {
  writeFileSync(
    new URL("results.json", import.meta.url),
    `${JSON.stringify({ ...circumstances, outcomes }, undefined, 2)}\n`,
  );
  const small = outcomes.find(({ experiment }) => experiment === "small GET");
  if (small === undefined) return;
  const title = "CPU microseconds per request (small GET, 50 kept connections; less is better)";
  writeFileSync(new URL("chart.svg", import.meta.url), drawChart(title, small.rows));
}
