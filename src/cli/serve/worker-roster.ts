import type { Worker } from "node:cluster";
import { listenOnce } from "../../unattended/guarded.ts";
import { prepareWorkers } from "./prepare-workers.ts";
import type { WorkerOrder } from "./run-worker.ts";
import { createTellWorker, type TellWorker } from "./tell-worker.ts";

/** The workers that can hear orders, and the configuration that is in force in all of them. */
export type WorkerRoster = Readonly<{
  /** Takes in a worker that can hear, and tells it what to do first. */
  begin: (worker: Worker) => void;
  /**
   * Puts another configuration into force in all of them, or, when one of them refuses it, in none; rejects then. Where
   * nobody is there to ask, `tryAlone` says whether it can be used. Workers that are started later get it.
   */
  replace: (text: string, tryAlone: () => Promise<void>) => Promise<void>;
  /** Lets all that begin later serve on a port that was chosen by chance. */
  keepPort: (port: number) => void;
  /** Tells all of them why a configuration was refused. */
  noteRefusal: (reason: string) => void;
  stop: (delay: number) => void;
}>;

/** Makes a roster without workers, for the configuration that the first ones start with. */
export function createWorkerRoster(first: string): WorkerRoster {
  const workers = new Map<Worker, TellWorker>();
  let inForce = first;
  let replacing: Promise<void> = Promise.resolve();
  let isStopping = false;
  let takenPort: number | undefined;
  const tellAll = (order: WorkerOrder): void => workers.forEach((tell) => void tell(order));
  const noteRefusal = (reason: string): void => tellAll({ order: "note-refusal", reason });
  return { begin, replace, keepPort: (port) => void (takenPort = port), noteRefusal, stop };

  /** One that comes while the others are asked serves meanwhile, and is asked when they have answered. */
  function begin(worker: Worker): void {
    if (worker.isDead()) return;
    const tell = createTellWorker(worker);
    workers.set(worker, tell);
    listenOnce(worker, "exit", () => workers.delete(worker));
    void (isStopping ? tell({ order: "stop", delay: 0 }) : tell({ order: "serve", takenPort }, inForce));
  }

  function replace(next: string, tryAlone: () => Promise<void>): Promise<void> {
    const replaced = replacing.then(() => replaceNow(next, tryAlone));
    replacing = replaced.catch(() => undefined);
    return replaced;
  }

  async function replaceNow(next: string, tryAlone: () => Promise<void>): Promise<void> {
    const asked = new Set<Worker>();
    try {
      if (!(await askEverybody(next, asked))) {
        await tryAlone();
        await askEverybody(next, asked);
      }
    } catch (error) {
      tellAll({ order: "drop" });
      throw error;
    }
    inForce = next;
    tellAll({ order: "put-into-force" });
  }

  /** Tells whether anybody has accepted it; whoever comes while others answer is asked as well. */
  async function askEverybody(next: string, asked: Set<Worker>): Promise<boolean> {
    let accepted = 0;
    for (;;) {
      const newcomers = new Map([...workers].filter(([worker]) => !asked.has(worker)));
      if (newcomers.size === 0) return accepted > 0;
      newcomers.forEach((_tell, worker) => asked.add(worker));
      accepted += await prepareWorkers(newcomers, next);
    }
  }

  function stop(delay: number): void {
    isStopping = true;
    tellAll({ order: "stop", delay });
  }
}
