import type { Worker } from "node:cluster";
import { memoryStore } from "../../stores/memory-store.ts";
import { listen } from "../../unattended/guarded.ts";
import type { CountAnswer, CountQuestion } from "./primary-store.ts";

/** Makes the function that lets a worker count in the primary. What they count outlives each of them. */
export function createCountForWorkers(): (worker: Worker) => void {
  const store = memoryStore();

  return function countFor(worker) {
    listen(worker, "message", function answer({ counts }: Partial<CountQuestion>) {
      if (counts === undefined) return;
      const answer: CountAnswer = { counted: counts.map(([number, takings]) => [number, store.take(takings)]) };
      // A worker that has ended needs no answer.
      if (worker.isConnected()) worker.send(answer, () => undefined);
    });
  };
}
