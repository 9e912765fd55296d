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
  const stopping = new AbortController();
  // Places, not workers: one that starts twice is still one.
  const listening = new Set<number>();
  let exitCode: number = exitCodes.fine;

  process.on("SIGHUP", () => tellAll({ order: "reload" }));
  process.on("SIGTERM", () => stop(settings.drainDelay));
  process.on("SIGINT", () => stop(0));
  await Promise.all(Array.from({ length: count }, (_, place) => keepOneRunning(place)));
  return exitCode;

  /** One after the other in one place; one that dies young is followed by a longer pause. */
  async function keepOneRunning(place: number): Promise<void> {
    for (let pause = shortestPause; !isStopping(); pause = Math.min(pause * 2, longestPause)) {
      const begin = performance.now();
      const { code, signal } = await runOnce(cluster.fork(), (address) => noteListening(place, address));
      if (isStopping()) return;
      if (listening.size < count && !listening.has(place)) {
        exitCode = code ?? exitCodes.problems;
        stop(0);
        return;
      }
      if (performance.now() - begin > longestPause) pause = shortestPause;
      logger.error({ code, signal, pause }, `A worker has ended; another one starts in ${pause} ms.`);
      await wait(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  function isStopping(): boolean {
    return stopping.signal.aborted;
  }

  function noteListening(place: number, address: Address): void {
    if (listening.has(place)) return;
    listening.add(place);
    if (listening.size < count) return;
    logger.info({ ...fieldsOf(address), workers: count, routes: routes.length }, greeting(address));
  }

  function stop(delay: number): void {
    if (isStopping()) process.exit(exitCodes.problems);
    stopping.abort();
    tellAll({ order: "stop", delay });
  }
}

type WorkerEnd = Readonly<{ code: number | null; signal: string | null }>;

function runOnce(worker: Worker, listens: (address: Address) => void): Promise<WorkerEnd> {
  worker.once("listening", listens);
  return new Promise((resolve) => {
    worker.once("exit", (code: number | null, signal: string | null) => resolve({ code, signal }));
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
