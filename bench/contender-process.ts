/** Runs one contender: `contender-process.ts <name> <settings>`. Tells its parent its port, and its usage when asked. */
import cluster from "node:cluster";
import { once } from "node:events";
import type { Contender, Settings, Usage } from "./contender.ts";

const [name = "", settingsText = "{}", workers = "1"] = process.argv.slice(2);

async function serve(): Promise<void> {
  const { start } = (await import(`./contenders/${name}.ts`)) as Contender;
  const { port, usage } = await start(JSON.parse(settingsText) as Settings);
  process.on("message", () => process.send?.(usage()));
  process.send?.({ port });
}

/** The primary only adds up what its workers have used. */
async function serveWithWorkers(count: number): Promise<void> {
  const forked = Array.from({ length: count }, () => cluster.fork());
  const ports = await Promise.all(forked.map((worker) => once(worker, "message")));
  process.on("message", () => {
    forked.forEach((worker) => worker.send("usage"));
    void Promise.all(forked.map((worker) => once(worker, "message"))).then((answers) => {
      const usages = answers.map(([usage]) => usage as Usage);
      process.send?.({ cpu: sum(usages.map(({ cpu }) => cpu)), memory: sum(usages.map(({ memory }) => memory)) });
    });
  });
  process.send?.(ports[0]?.[0] as object);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

process.on("disconnect", () => process.exit());
if (cluster.isPrimary && Number(workers) > 1) await serveWithWorkers(Number(workers));
else await serve();
