import type { Worker } from "node:cluster";
import { setImmediate } from "node:timers/promises";
import type { WorkerOrder } from "./run-worker.ts";

/** Tells a worker one order after the other, with the text that it is about; resolves to whether it could be told. */
export type TellWorker = (order: WorkerOrder, text?: string) => Promise<boolean>;

// A message is written and read as JSON in one go: a whole configuration would hold up requests here and there.
const pieceLength = 65_536;

/** Makes the function that tells one worker. */
export function createTellWorker(worker: Worker): TellWorker {
  let last: Promise<boolean> = Promise.resolve(true);

  return function tellWorker(order, text = "") {
    last = last.then(() => tell(order, text));
    return last;
  };

  async function tell(order: WorkerOrder, text: string): Promise<boolean> {
    for (let start = 0; start < text.length; start += pieceLength) {
      if (!(await send({ order: "take", piece: text.slice(start, start + pieceLength) }))) return false;
      // What could be written at once is reported at once.
      await setImmediate();
    }
    return send(order);
  }

  /** A worker that cannot be told any more is just ending: its successor gets the order. */
  function send(order: WorkerOrder): Promise<boolean> {
    return new Promise((resolve) => {
      if (worker.isConnected()) worker.send(order, (error) => resolve(!error));
      else resolve(false);
    });
  }
}
