import { spawnSync } from "node:child_process";
import { defaultRequest, type Experiment, type Subject } from "./experiments.ts";
import { type RunningContender, startContender, startLoad, startTarget } from "./processes.ts";
import { median } from "./statistics.ts";

/** How often is measured, and for how long; `warmUp` requests before, as code that V8 has not compiled yet costs a multiple. */
export type Plan = Readonly<{ rounds: number; milliseconds: number; warmUp: number; connections: number }>;

/** The medians of a subject's rounds. */
export type Row = Readonly<{
  name: string;
  /** CPU microseconds of the contender's own process for each request. */
  cpu: number;
  perSecond: number;
  p50: number;
  p99: number;
  /** Resident memory at the end, in MB. */
  memory: number;
}>;

type Round = Omit<Row, "name">;
type Contestant = Readonly<{ subject: Subject; running: RunningContender; rounds: Round[] }>;

/** Measures all subjects of an experiment in turns. */
export async function measureExperiment({ subjects, isHeavy = false }: Experiment, plan: Plan): Promise<Row[]> {
  const target = await startTarget();
  const load = await startLoad();
  const contestants: Contestant[] = [];
  try {
    for (const subject of subjects.filter(isInstalled)) {
      const settings = { ...subject.settings, upstreamPort: target.port };
      contestants.push({
        subject,
        running: await startContender(subject.contender, settings, subject.workers),
        rounds: [],
      });
    }
    const warmUp = isHeavy ? plan.warmUp / 10 : plan.warmUp;
    for (const contestant of contestants) await measureRound(contestant, plan, load.run, warmUp);
    for (let round = 0; round < plan.rounds; round += 1) {
      for (const contestant of contestants) contestant.rounds.push(await measureRound(contestant, plan, load.run));
    }
  } finally {
    for (const { running } of contestants) running.stop();
    load.stop();
    target.stop();
  }
  return contestants.map(({ subject, rounds }) => ({ name: subject.name, ...medians(rounds) }));
}

function isInstalled({ contender }: Subject): boolean {
  return contender !== "nginx" || spawnSync("nginx", ["-v"]).status === 0;
}

type RunLoad = Awaited<ReturnType<typeof startLoad>>["run"];

async function measureRound({ subject, running }: Contestant, plan: Plan, run: RunLoad, warmUp = 0): Promise<Round> {
  const { method, path, bodyBytes, status } = { ...defaultRequest, ...subject };
  const { connections, milliseconds } = plan;
  const before = await running.usage();
  const result = await run({
    port: running.port,
    method,
    path,
    bodyBytes,
    status,
    connections,
    milliseconds,
    atLeast: warmUp,
  });
  const after = await running.usage();
  return {
    cpu: (after.cpu - before.cpu) / result.requests,
    perSecond: result.requests / result.seconds,
    p50: result.p50,
    p99: result.p99,
    memory: after.memory / 1_048_576,
  };
}

function medians(rounds: readonly Round[]): Round {
  return {
    cpu: median(rounds.map(({ cpu }) => cpu)),
    perSecond: median(rounds.map(({ perSecond }) => perSecond)),
    p50: median(rounds.map(({ p50 }) => p50)),
    p99: median(rounds.map(({ p99 }) => p99)),
    memory: rounds.at(-1)!.memory,
  };
}
