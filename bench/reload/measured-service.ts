import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type LogLine, type RunningWaymark, startWaymark } from "../../__tests__/cli/run-waymark.ts";

/** For how long the event loop of a process stood still at most, in milliseconds: of its own work, and by the clock. */
export type LongestStep = Readonly<{ work: number; wall: number; collection: number }>;

/** The steps of a service's processes while something happened, and how long that took. */
export type Measured = Readonly<{ primary: LongestStep; workers: readonly LongestStep[]; took: number }>;

/** `waymark serve` in processes that are measured. */
export type MeasuredService = RunningWaymark &
  Readonly<{
    port: number;
    /** Measures all processes from what causes a reload until some lines of the log tell of its end. */
    measure: (cause: () => unknown, fits: (line: LogLine) => boolean, lines: number) => Promise<Measured>;
    stop: () => Promise<void>;
  }>;

const preloaded = new URL("longest-step.mjs", import.meta.url).href;
const lookMilliseconds = 5;

/** Starts a service in a folder, with the file `gateway.json` in it. */
export async function startMeasured(
  folder: string,
  workers: number,
  words: readonly string[],
): Promise<MeasuredService> {
  const file = join(folder, "gateway.json");
  const all = ["serve", file, "--port", "0", "--log", "events", "--workers", String(workers), ...words];
  const env = { NODE_OPTIONS: `--import=${preloaded}`, LONGEST_STEP_FOLDER: folder };
  const running = startWaymark(all, { cwd: folder, env });
  const { port, pid } = await running.line(({ msg }) => msg.startsWith("Listening on "));
  const started = (await readdir(folder)).filter((name) => name.endsWith(".started"));
  const pids = [pid, ...started.map((name) => Number.parseInt(name, 10)).filter((one) => one !== pid)];
  const told = new Set<string>();
  return { ...running, port: Number(port), measure, stop };

  async function measure(cause: () => unknown, fits: (line: LogLine) => boolean, lines: number): Promise<Measured> {
    for (const one of pids) await signal(one, "begun");
    const start = performance.now();
    await cause();
    for (let count = 0; count < lines; count += 1)
      told.add(keyOf(await running.line((line) => fits(line) && isNew(line))));
    const took = performance.now() - start;
    const steps: LongestStep[] = [];
    for (const one of pids) steps.push(JSON.parse(await signal(one, "ended")) as LongestStep);
    return { primary: steps[0]!, workers: steps.slice(1), took };
  }

  function isNew(line: LogLine): boolean {
    return !told.has(keyOf(line));
  }

  function signal(one: number, what: string): Promise<string> {
    process.kill(one, "SIGUSR2");
    return takeFile(join(folder, `${one}.${what}`));
  }

  async function stop(): Promise<void> {
    running.signal("SIGTERM");
    await running.ended;
  }
}

function keyOf({ pid, time, msg }: LogLine): string {
  return `${pid} ${time} ${msg}`;
}

async function takeFile(file: string): Promise<string> {
  for (;;) {
    const text = await readFile(file, "utf8").catch(() => undefined);
    if (text === undefined) await wait(lookMilliseconds);
    else return rm(file).then(() => text);
  }
}
