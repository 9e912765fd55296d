import type { ChildProcess } from "node:child_process";
import cluster, { type Worker } from "node:cluster";
import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { keyOfProcess, keyVariable } from "../../capabilities/load-balancing/sticky-settings.ts";
import { listen, listenOnce } from "../../unattended/guarded.ts";
import { freeStdout } from "./free-stdout.ts";
import type { LineLogger } from "./line-logger.ts";
import { secretOfStart, secretVariable } from "./inspector-secret.ts";
import { logPipe } from "./log-output.ts";
import { workerVariable } from "./own-worker.ts";

/** How a worker ended; with an error it never began. */
export type WorkerEnd = Readonly<{ code: number | null; signal: string | null; error?: Error }>;

/**
 * Runs a worker whose log comes through the primary's; resolves when it has ended, and its last words are in the log.
 * `begun` is told of it at once.
 */
export async function forkWorker(
  logger: Pick<LineLogger, "relay">,
  begun: (worker: Worker) => void,
): Promise<WorkerEnd> {
  // Each takes connections by itself: a primary that hands them over never learns of those that are lost on the way.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ stdio: ["inherit", "inherit", "inherit", "ipc", "pipe"] });
  try {
    const worker = cluster.fork({
      [workerVariable]: "yes",
      [keyVariable]: keyOfProcess,
      [secretVariable]: secretOfStart,
    });
    freeStdout();
    const ended = whenEnded(worker);
    begun(worker);
    // Where a process could not even be tried, as without a free file descriptor, there are no pipes.
    const pipes = worker.process.stdio as ChildProcess["stdio"] | undefined;
    if (pipes !== undefined) await collectLines(pipes[logPipe] as Readable, logger.relay);
    const end = await ended;
    freeStdout();
    return end;
  } catch (error) {
    return { code: null, signal: null, error: error as Error };
  }
}

/**
 * Hands on what a process writes, in whole lines: what several processes write to one pipe is torn apart where a line is
 * longer than the pipe takes at once. Resolves when the process can write no more; half a line at the end is left out.
 */
async function collectLines(stream: Readable, take: (lines: string) => void): Promise<void> {
  let rest = "";
  stream.setEncoding("utf8");
  listen(stream, "data", function takeWholeLines(text: string) {
    const end = text.lastIndexOf("\n") + 1;
    if (end > 0) take(rest + text.slice(0, end));
    rest = end > 0 ? text.slice(end) : rest + text;
  });
  // A process that is killed may reset its end.
  await finished(stream).catch(() => undefined);
}

function whenEnded(worker: Worker): Promise<WorkerEnd> {
  return new Promise((resolve) => {
    listenOnce(worker, "exit", (code: number | null, signal: string | null) => resolve({ code, signal }));
    // A message that could not be sent any more is an error as well, and its worker has an end.
    listen(worker, "error", (error: Error) => {
      if (worker.process.pid === undefined) resolve({ code: null, signal: null, error });
    });
  });
}

/** Ends all workers at once, those that are stopped or busy for ever as well. */
export function killWorkers(): void {
  for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill("SIGKILL");
}
