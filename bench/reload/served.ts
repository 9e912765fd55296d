import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LogLine } from "../../__tests__/cli/run-waymark.ts";
import { median } from "../statistics.ts";
import { type LongestStep, type Measured, startMeasured } from "./measured-service.ts";

/** What is reloaded: by which processes, at whose word, and whether the file can be used. */
type Case = Readonly<{ workers: number; isWatched: boolean; isBroken: boolean }>;

/** The text of a configuration; each version changes all its routes. */
export type WriteText = (version: number) => string;

const rounds = 5;

const cases: readonly Case[] = [1, 2].flatMap((workers) =>
  [false, true].flatMap((isWatched) => [false, true].map((isBroken) => ({ workers, isWatched, isBroken }))),
);

/** Measures reloads of `waymark serve`; says whether the median of the longest steps is no longer than it may be. */
export async function measureServed(write: WriteText, most: number): Promise<boolean> {
  let isFine = true;
  for (const one of cases) {
    const { primary, workers } = await measureCase(one, write);
    const how = `${one.workers === 1 ? "one process" : `${one.workers} workers`}, ${one.isWatched ? "watched file" : "SIGHUP"}`;
    console.log(`\nwaymark serve, ${how}, ${one.isBroken ? "a fault in every route" : "a good file"}:`);
    for (const [name, steps] of [
      ["the process of the signals", primary],
      ["workers", workers],
    ] as const) {
      if (steps.length === 0) continue;
      console.log(
        `  ${name}: longest step ${listOf(steps, "work")} ms of work, ${listOf(steps, "wall")} ms by the clock`,
      );
      isFine &&= median(steps.map(({ work }) => work)) <= most;
    }
  }
  console.log(`${isFine ? "ok" : "TOO LONG"}: the median of the longest steps is at most ${most} ms of work.`);
  return isFine;
}

function listOf(steps: readonly LongestStep[], kind: keyof LongestStep): string {
  return steps.map((step) => step[kind].toFixed(0)).join(" ");
}

type Steps = Readonly<{ primary: readonly LongestStep[]; workers: readonly LongestStep[] }>;

async function measureCase({ workers, isWatched, isBroken }: Case, write: WriteText): Promise<Steps> {
  const folder = await mkdtemp(join(tmpdir(), "waymark-bench-"));
  const file = join(folder, "gateway.json");
  await writeFile(file, write(0));
  const service = await startMeasured(folder, workers, isWatched ? ["--watch"] : []);
  const measured: Measured[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const text = isBroken ? write(round).replaceAll('"UpstreamPathTemplate"', '"UpstreamPathTemplat"') : write(round);
    if (!isWatched) await writeFile(file, text);
    const cause = isWatched ? () => writeFile(file, text) : () => service.signal("SIGHUP");
    measured.push(await service.measure(cause, isBroken ? isRefusal : isReload, isBroken ? 1 : workers));
  }
  await service.stop();
  await rm(folder, { recursive: true });
  return { primary: measured.map(({ primary }) => primary), workers: measured.flatMap((one) => one.workers) };
}

/** Tells that a reload took effect. */
export function isReload({ msg }: LogLine): boolean {
  return msg.startsWith("The configuration was reloaded");
}

/** Tells that one did not. */
export function isRefusal({ msg }: LogLine): boolean {
  return msg.startsWith("The configuration was not reloaded");
}
