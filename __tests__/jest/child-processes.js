// Keeps what a suite starts from outliving it: one that fails half-way ends nothing, and Jest would wait for its processes.
import { subscribe } from "node:diagnostics_channel";

const started = new Set();

subscribe("child_process", ({ process: child }) => {
  started.add(child);
  child.once("exit", () => started.delete(child));
});

/** Leaves the processes alone that were started so far. */
export function forgetChildProcesses() {
  started.clear();
}

/** Ends the processes that were left running, and gives their command lines. */
export function endChildProcesses() {
  const left = [...started].filter(({ pid, exitCode, signalCode }) => pid && exitCode === null && signalCode === null);
  started.clear();
  for (const child of left) child.kill("SIGKILL");
  return left.map(({ spawnargs }) => spawnargs.join(" "));
}
