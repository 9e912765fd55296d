import type { Worker } from "node:cluster";
import { after, listen } from "../../unattended/guarded.ts";
import type { CountQuestion } from "./primary-store.ts";
import type { WorkerReport } from "./run-worker.ts";
import type { TellWorker } from "./tell-worker.ts";

// Ten thousand routes take a busy worker some seconds.
const patienceMilliseconds = 60_000;

type Answer = WorkerReport | Readonly<{ report: "gone" }>;

/** Lets workers prepare a configuration; resolves to how many have, and rejects when one of them refuses it. */
export async function prepareWorkers(workers: ReadonlyMap<Worker, TellWorker>, text: string): Promise<number> {
  const answers = await Promise.all(
    [...workers].map(([worker, tell]) => letPrepare(worker, () => tell({ order: "prepare" }, text))),
  );
  const refusal = answers.find((answer) => answer.report === "refused");
  if (refusal !== undefined) throw new Error(`A worker cannot use it. ${refusal.reason}`);
  return answers.filter(({ report }) => report === "prepared").length;
}

/**
 * A worker that ends meanwhile reports nothing. A worker that reports nothing for long is ended, and its successor
 * begins anew.
 */
function letPrepare(worker: Worker, ask: () => Promise<boolean>): Promise<Answer> {
  return new Promise((resolve) => {
    const timer = after(patienceMilliseconds, () => worker.process.kill("SIGKILL"));
    const hears = listen(worker, "message", (message: CountQuestion | WorkerReport) => {
      if ("report" in message) settle(message);
    });
    const ends = listen(worker, "exit", gone);
    void ask().then((isTold) => isTold || gone());

    function gone(): void {
      settle({ report: "gone" });
    }

    function settle(answer: Answer): void {
      clearTimeout(timer);
      worker.off("message", hears).off("exit", ends);
      resolve(answer);
    }
  });
}
