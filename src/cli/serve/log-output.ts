import { Socket } from "node:net";
import { listen } from "../../unattended/guarded.ts";
import { freeStdout } from "./free-stdout.ts";
import type { WriteText } from "./line-queue.ts";
import { isOwnWorker } from "./own-worker.ts";

/** Behind stdin, stdout, stderr and the channel to the primary. */
export const logPipe = 4;

/** Where this process writes its log: a worker to its primary, any other process to stdout. */
export function createLogOutput(): WriteText {
  freeStdout();
  if (!isOwnWorker) return writeToStdout;
  const pipe = new Socket({ fd: logPipe, readable: false, writable: true });
  let hasPrimary = true;
  listen(pipe, "error", () => (hasPrimary = false));

  return function writeToPrimary(text, done) {
    // Only the primary reads the pipe: without it a worker writes to stdout, where the primary would have written.
    if (!hasPrimary || !process.connected) writeToStdout(text, done);
    else pipe.write(text, (error) => (error ? writeToStdout(text, done) : done()));
  };
}

function writeToStdout(text: string, done: (error?: Error | null) => void): void {
  process.stdout.write(text, done);
}
