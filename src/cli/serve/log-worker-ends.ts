import type { Logger } from "../../logging/logger.ts";
import type { WorkerEnd } from "./fork-worker.ts";

/** Logs how a worker ended, and in how many milliseconds another one starts. */
type LogEnd = (end: WorkerEnd, pause: number) => void;

/** Where no process can be started, that is logged once, until one has run again. */
export function createLogEnd(logger: Logger): LogEnd {
  let isForkFailing = false;

  return function logEnd({ code, signal, error }, pause) {
    const wasForkFailing = isForkFailing;
    isForkFailing = error !== undefined;
    if (error === undefined) {
      logger.error({ code, signal, pause }, `A worker has ended; another one starts in ${pause} ms.`);
    } else if (!wasForkFailing) {
      logger.error({ err: error }, "A worker could not be started; it is tried again until it can.");
    }
  };
}
