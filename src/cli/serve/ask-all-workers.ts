import type { Worker } from "node:cluster";
import { listen, listenOnce } from "../../unattended/guarded.ts";
import { withinTime } from "../../unattended/within-time.ts";
import type { HandedMessage, PeerMessage, PeerQuestion } from "./ask-by-primary.ts";

// Whoever looks at a page does not wait longer for a worker that is stuck.
const patienceMilliseconds = 1_000;

/** Makes the function that lets a worker ask all others that serve. */
export function createAskAllWorkers(): (worker: Worker) => void {
  const serving = new Set<Worker>();
  const waiting = new Map<number, (told: unknown) => void>();
  let last = 0;

  return function handOnFor(worker) {
    listenOnce(worker, "listening", () => serving.add(worker));
    listenOnce(worker, "exit", () => serving.delete(worker));
    listen(worker, "message", (message: PeerMessage) => {
      if ("asksAll" in message) void handOn(worker, message.asksAll);
      else if ("answers" in message) waiting.get(message.answers)?.(message.told);
    });
  };

  async function handOn(asker: Worker, { number, topic, asked }: PeerQuestion): Promise<void> {
    const others = [...serving].filter((worker) => worker !== asker);
    const told = await Promise.all(others.map((worker) => ask(worker, topic, asked)));
    send(asker, { answered: number, told: told.filter((one) => one !== undefined) });
  }

  /** What a worker answers; undefined where it fails, or is stuck, or gone. */
  async function ask(worker: Worker, topic: string, asked: unknown): Promise<unknown> {
    const number = (last += 1);
    const told = new Promise<unknown>((resolve) => waiting.set(number, resolve));
    send(worker, { asked: { number, topic, asked } });
    const found = await withinTime(told, patienceMilliseconds).catch(() => undefined);
    waiting.delete(number);
    return found;
  }
}

function send(worker: Worker, message: HandedMessage): void {
  if (worker.isConnected()) worker.send(message, () => undefined);
}
