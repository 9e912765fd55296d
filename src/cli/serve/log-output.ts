import { once } from "node:events";
import cluster, { type Worker } from "node:cluster";
import { Socket } from "node:net";
import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { listen } from "../../unattended/guarded.ts";
import type { LineLogger } from "./line-logger.ts";
import type { WriteText } from "./line-queue.ts";

// Behind stdin, stdout, stderr and the channel to the primary.
const logPipe = 4;

/** A worker, and how it ended. */
export type ForkedWorker = Readonly<{ worker: Worker; ended: Promise<[code: number | null, signal: string | null]> }>;

/** Starts a worker whose log comes through the primary's; its last words come before what is said of its end. */
export function forkWorker(logger: Pick<LineLogger, "relay">): ForkedWorker {
  cluster.setupPrimary({ stdio: ["inherit", "inherit", "inherit", "ipc", "pipe"] });
  const worker = cluster.fork();
  const logEnds = collectLines(worker.process.stdio[logPipe] as Readable, logger.relay);
  const exits = once(worker, "exit") as ForkedWorker["ended"];
  return { worker, ended: exits.finally(() => logEnds) };
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

/** Where this process writes its log: a worker to its primary, everybody else to stdout. */
export function createLogOutput(): WriteText {
  if (!cluster.isWorker) return writeToStdout;
  const pipe = new Socket({ fd: logPipe, readable: false, writable: true });
  let hasPrimary = true;
  listen(pipe, "error", () => (hasPrimary = false));

  return function writeToPrimary(text, done) {
    // Nobody else reads the pipe; without a primary all processes write to where it would have written.
    if (!hasPrimary || !process.connected) writeToStdout(text, done);
    else pipe.write(text, (error) => (error ? writeToStdout(text, done) : done()));
  };
}

function writeToStdout(text: string, done: (error?: Error | null) => void): void {
  process.stdout.write(text, done);
}
