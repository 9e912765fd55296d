import cluster, { type Address, type Worker } from "node:cluster";
import { setTimeout as wait } from "node:timers/promises";
import { loadConfig } from "../../config/load-config.ts";
import { exitCodes } from "../command.ts";
import type { WorkerOrder } from "./run-worker.ts";
import type { ServeSettings } from "./settings.ts";
import { formatAddress, type ServiceLogger } from "./start-server.ts";

const shortestPause = 100;
const longestPause = 10_000;

/** Starts the workers, starts those that die anew, and tells all of them what signals ask for. */
export async function runPrimary(settings: ServeSettings, logger: ServiceLogger): Promise<number> {
  // Once for all: a configuration that cannot be used is told of here, and its warnings too.
  const { routes } = await loadConfig(settings.file, {
    ...settings.parse,
    logger: { ...logger, error: () => undefined },
  });
  const { workers: count } = settings;
  let listening = 0;
  let isStopping = false;
  let exitCode: number = exitCodes.fine;

  cluster.on("listening", (_worker, address) => {
    listening += 1;
    if (listening === count)
      logger.info({ ...fieldsOf(address), workers: count, routes: routes.length }, greeting(address));
  });
  process.on("SIGHUP", () => tellAll({ order: "reload" }));
  process.on("SIGTERM", () => stop(settings.drainDelay));
  process.on("SIGINT", () => stop(0));
  await Promise.all(Array.from({ length: count }, keepOneRunning));
  return exitCode;

  /** One after the other in one place; one that dies young is followed by a longer pause. */
  async function keepOneRunning(): Promise<void> {
    for (let pause = shortestPause; !isStopping; pause = Math.min(pause * 2, longestPause)) {
      const begin = performance.now();
      const { code, signal, hasListened } = await runOnce(cluster.fork());
      if (isOver()) return;
      if (!hasListened && listening < count) {
        exitCode = code ?? exitCodes.problems;
        stop(0);
        return;
      }
      if (performance.now() - begin > longestPause) pause = shortestPause;
      logger.error({ code, signal, pause }, `A worker has ended; another one starts in ${pause} ms.`);
      await wait(pause);
    }
  }

  function isOver(): boolean {
    return isStopping;
  }

  function stop(delay: number): void {
    if (isStopping) process.exit(exitCodes.problems);
    isStopping = true;
    tellAll({ order: "stop", delay });
  }
}

type WorkerEnd = Readonly<{ code: number | null; signal: string | null; hasListened: boolean }>;

function runOnce(worker: Worker): Promise<WorkerEnd> {
  let hasListened = false;
  worker.once("listening", () => (hasListened = true));
  return new Promise((resolve) => {
    worker.once("exit", (code: number | null, signal: string | null) => resolve({ code, signal, hasListened }));
  });
}

function tellAll(order: WorkerOrder): void {
  for (const worker of Object.values(cluster.workers ?? {})) if (worker?.isConnected() === true) worker.send(order);
}

function fieldsOf({ address, port }: Address): Readonly<{ host: string; port: number }> {
  return { host: address, port };
}

function greeting(address: Address): string {
  return `Listening on ${formatAddress(fieldsOf(address))}`;
}
