import type { Worker } from "node:cluster";
import { listenOnce } from "../../unattended/guarded.ts";
import { createSharedConfiguration, type ReplaceInAllWorkers } from "./replace-in-all-workers.ts";
import type { WorkerOrder } from "./run-worker.ts";
import { createTellWorker, type TellWorker } from "./tell-worker.ts";

/** The workers that can hear orders, and the configuration that is in force in all of them. */
export type WorkerRoster = Readonly<{
  /** Takes in a worker that can hear, and tells it what to do first. */
  begin: (worker: Worker) => void;
  /** Puts another configuration into force, see {@link ReplaceInAllWorkers}. */
  replace: ReplaceInAllWorkers;
  /** Lets all that begin later serve on a port that was chosen by chance. */
  keepPort: (port: number) => void;
  /** Tells all of them why a configuration was refused. */
  noteRefusal: (reason: string) => void;
  stop: (delay: number) => void;
}>;

/** Makes a roster without workers, for the configuration that the first ones start with. */
export function createWorkerRoster(first: string): WorkerRoster {
  const workers = new Map<Worker, TellWorker>();
  let isStopping = false;
  let takenPort: number | undefined;
  const tellAll = (order: WorkerOrder): void => workers.forEach((tell) => void tell(order));
  const configuration = createSharedConfiguration(first, workers, tellAll);
  const noteRefusal = (reason: string): void => tellAll({ order: "note-refusal", reason });
  return { begin, replace: configuration.replace, keepPort: (port) => void (takenPort = port), noteRefusal, stop };

  /** One that comes while the others are asked serves meanwhile, and is asked when they have answered. */
  function begin(worker: Worker): void {
    if (worker.isDead()) return;
    const tell = createTellWorker(worker);
    workers.set(worker, tell);
    listenOnce(worker, "exit", () => workers.delete(worker));
    void (isStopping
      ? tell({ order: "stop", delay: 0 })
      : tell({ order: "serve", takenPort }, configuration.inForce()));
  }

  function stop(delay: number): void {
    isStopping = true;
    tellAll({ order: "stop", delay });
  }
}
