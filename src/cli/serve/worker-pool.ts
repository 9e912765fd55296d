import type { Address } from "node:cluster";
import { setTimeout as wait } from "node:timers/promises";
import { listen, listenOnce } from "../../unattended/guarded.ts";
import { exitCodes } from "../command.ts";
import { forkWorker } from "./log-output.ts";
import type { WorkerReport } from "./run-worker.ts";
import type { ServiceLogger } from "./start-server.ts";
import { createWorkerRoster, type WorkerRoster } from "./worker-roster.ts";

/** Some processes that do the same. */
export type WorkerPool = Readonly<{
  /** Keeps them running until they are stopped; resolves to the exit code. */
  run: () => Promise<number>;
  /** Puts another configuration into force, see {@link WorkerRoster}. */
  replace: WorkerRoster["replace"];
  stop: (delay: number) => void;
}>;

type PoolParts = Readonly<{
  count: number;
  /** The configuration that workers start with until another one is in force. */
  text: string;
  /** Called once, when all of them listen. */
  listens: (address: Address) => void;
  logger: ServiceLogger;
}>;

const shortestPause = 100;
const longestPause = 10_000;

/** Makes a pool whose workers are started anew when they die. */
export function createWorkerPool({ count, text, listens, logger }: PoolParts): WorkerPool {
  const stopping = new AbortController();
  const roster = createWorkerRoster(text);
  // Places, not workers: one that starts twice is still one.
  const listening = new Set<number>();
  let exitCode: number = exitCodes.fine;
  return { run, replace: roster.replace, stop };

  function run(): Promise<number> {
    return Promise.all(Array.from({ length: count }, (_, place) => keepOneRunning(place))).then(() => exitCode);
  }

  /** One after the other in one place; one that dies young is followed by a longer pause. */
  async function keepOneRunning(place: number): Promise<void> {
    for (let pause = shortestPause; !isStopping(); pause = Math.min(pause * 2, longestPause)) {
      const begin = performance.now();
      const [code, signal] = await runOnce(place);
      if (isStopping()) return;
      if (listening.size < count && !listening.has(place)) {
        exitCode = code ?? exitCodes.problems;
        stop(0);
        return;
      }
      pause = performance.now() - begin > longestPause ? shortestPause : pause;
      logger.error({ code, signal, pause }, `A worker has ended; another one starts in ${pause} ms.`);
      await wait(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  function runOnce(place: number): Promise<[code: number | null, signal: string | null]> {
    const { worker, ended } = forkWorker(logger);
    listenOnce(worker, "listening", (address: Address) => noteListening(place, address));
    // What is said to a worker before it can hear is lost.
    listen(worker, "message", ({ report }: WorkerReport) => {
      if (report === "ready") roster.begin(worker);
    });
    return ended.finally(() => roster.remove(worker));
  }

  function noteListening(place: number, address: Address): void {
    if (listening.has(place)) return;
    listening.add(place);
    if (listening.size === count) listens(address);
  }

  function isStopping(): boolean {
    return stopping.signal.aborted;
  }

  function stop(delay: number): void {
    // Who asks twice does not want to wait.
    if (isStopping()) process.exit(exitCodes.problems);
    stopping.abort();
    roster.stop(delay);
  }
}
