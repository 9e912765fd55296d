import type { Worker } from "node:cluster";
import { prepareAll } from "./prepare-all.ts";
import type { WorkerOrder } from "./run-worker.ts";
import { createTellWorker, type TellWorker } from "./tell-worker.ts";

/** The workers that can hear orders, and the configuration that is in force in all of them. */
export type WorkerRoster = Readonly<{
  /** Takes in a worker that can hear, and tells it what to do first. */
  begin: (worker: Worker) => void;
  remove: (worker: Worker) => void;
  /**
   * Puts another configuration into force in all of them, or, when one of them refuses it, in none; rejects then. Where
   * nobody is there to ask, `tryAlone` says whether it can be used. Workers that are started later get it.
   */
  replace: (text: string, tryAlone: () => Promise<void>) => Promise<void>;
  stop: (delay: number) => void;
}>;

/** Makes a roster without workers, for the configuration that the first ones start with. */
export function createWorkerRoster(first: string): WorkerRoster {
  const workers = new Map<Worker, TellWorker>();
  let inForce = first;
  let replacing: Promise<void> = Promise.resolve();
  let isStopping = false;
  const tellAll = (order: WorkerOrder): void => workers.forEach((tell) => void tell(order));
  return { begin, remove: (worker) => void workers.delete(worker), replace, stop };

  /** One that comes while the others are asked waits for what they say: all have the same then. */
  function begin(worker: Worker): void {
    void replacing.then(() => {
      if (worker.isDead()) return;
      const tell = createTellWorker(worker);
      workers.set(worker, tell);
      void (isStopping ? tell({ order: "stop", delay: 0 }) : tell({ order: "serve" }, inForce));
    });
  }

  function replace(next: string, tryAlone: () => Promise<void>): Promise<void> {
    const replaced = replacing.then(() => replaceNow(next, tryAlone));
    replacing = replaced.catch(() => undefined);
    return replaced;
  }

  async function replaceNow(next: string, tryAlone: () => Promise<void>): Promise<void> {
    try {
      const accepted = await prepareAll(new Map(workers), next);
      if (accepted === 0) await tryAlone();
    } catch (error) {
      tellAll({ order: "drop" });
      throw error;
    }
    inForce = next;
    tellAll({ order: "put-into-force" });
  }

  function stop(delay: number): void {
    isStopping = true;
    tellAll({ order: "stop", delay });
  }
}
