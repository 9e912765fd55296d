import { once } from "node:events";
import cluster, { type Address, type Worker } from "node:cluster";
import { setTimeout as wait } from "node:timers/promises";
import type { Logger } from "../../logger.ts";
import { exitCodes } from "../command.ts";
import { readyMessage, type WorkerOrder } from "./run-worker.ts";

/** Some processes that do the same. */
export type WorkerPool = Readonly<{
  /** Keeps them running until they are stopped; resolves to the exit code. */
  run: () => Promise<number>;
  tellAll: (order: WorkerOrder) => void;
  stop: (delay: number) => void;
}>;

type PoolParts = Readonly<{
  count: number;
  /** What a worker is told first. */
  firstOrder: () => WorkerOrder;
  /** Called once, when all of them listen. */
  listens: (address: Address) => void;
  logger: Logger;
}>;

const shortestPause = 100;
const longestPause = 10_000;

/** Makes a pool whose workers are started anew when they die. */
export function createWorkerPool({ count, firstOrder, listens, logger }: PoolParts): WorkerPool {
  const stopping = new AbortController();
  const ready = new Set<Worker>();
  // Places, not workers: one that starts twice is still one.
  const listening = new Set<number>();
  let exitCode: number = exitCodes.fine;
  const tellAll = (order: WorkerOrder): void => ready.forEach((worker) => tell(worker, order));
  return { run, tellAll, stop };

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
    const worker = cluster.fork();
    worker.once("listening", (address) => noteListening(place, address));
    // What is said to a worker before it can hear is lost.
    worker.on("message", (message) => {
      if (message !== readyMessage) return;
      ready.add(worker);
      tell(worker, isStopping() ? { order: "stop", delay: 0 } : firstOrder());
    });
    return once(worker, "exit").finally(() => ready.delete(worker)) as Promise<[number | null, string | null]>;
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
    tellAll({ order: "stop", delay });
  }
}

function tell(worker: Worker, order: WorkerOrder): void {
  if (worker.isConnected()) worker.send(order);
}
