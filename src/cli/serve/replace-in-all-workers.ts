import type { Worker } from "node:cluster";
import { prepareWorkers } from "./prepare-workers.ts";
import type { WorkerOrder } from "./run-worker.ts";
import type { TellWorker } from "./tell-worker.ts";

/**
 * Puts another configuration into force in all workers, or, when one of them refuses it, in none; rejects then. Where
 * nobody is there to ask, `tryAlone` says whether it can be used. Workers that are started later get it.
 */
export type ReplaceInAllWorkers = (text: string, tryAlone: () => Promise<void>) => Promise<void>;

/** The configuration that is in force in all workers. */
type SharedConfiguration = Readonly<{ replace: ReplaceInAllWorkers; inForce: () => string }>;

/** Keeps workers, which may come and go, at one configuration: the first one until another is put into force. */
export function createSharedConfiguration(
  first: string,
  workers: ReadonlyMap<Worker, TellWorker>,
  tellAll: (order: WorkerOrder) => void,
): SharedConfiguration {
  let inForce = first;
  let replacing: Promise<void> = Promise.resolve();
  return { replace, inForce: () => inForce };

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
}
