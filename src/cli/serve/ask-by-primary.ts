import type { Peers } from "../../peers.ts";
import { listen } from "../../unattended/guarded.ts";
import { withinTime } from "../../unattended/within-time.ts";

/** What a process asks about something; the number finds the answer again. */
export type PeerQuestion = Readonly<{ number: number; topic: string; asked: unknown }>;

/** What a worker tells the primary of its peers: that it asks all of them, and what it answers one of them. */
export type PeerMessage = Readonly<{ asksAll: PeerQuestion }> | Readonly<{ answers: number; told?: unknown }>;

/** What the primary hands on to a worker: what another one asks, and what all others have answered. */
export type HandedMessage =
  Readonly<{ asked: PeerQuestion }> | Readonly<{ answered: number; told: readonly unknown[] }>;

// Longer than the primary waits for any of them.
const patienceMilliseconds = 3_000;

/** Makes what a worker knows of the other workers: it asks them by way of the primary. */
export function workerPeers(): Peers {
  const answerers = new Map<string, (asked: unknown) => unknown>();
  const waiting = new Map<number, (told: readonly unknown[]) => void>();
  let last = 0;
  listen(process, "message", hear);
  return { areThere: true, ask, answer: (topic, by) => void answerers.set(topic, by) };

  async function ask(topic: string, asked: unknown): Promise<readonly unknown[]> {
    if (!process.connected) return [];
    const number = (last += 1);
    const told = new Promise<readonly unknown[]>((resolve) => waiting.set(number, resolve));
    say({ asksAll: { number, topic, asked } });
    // A primary that is gone, or suspended, hands nothing on.
    const found = await withinTime(told, patienceMilliseconds).catch(() => []);
    waiting.delete(number);
    return found;
  }

  function hear(message: HandedMessage): void {
    if ("asked" in message) void answer(message.asked);
    else if ("answered" in message) waiting.get(message.answered)?.(message.told);
  }

  /** What fails here is no answer, and is left out. */
  async function answer({ number, topic, asked }: PeerQuestion): Promise<void> {
    try {
      say({ answers: number, told: (await answerers.get(topic)?.(asked)) ?? {} });
    } catch {
      say({ answers: number });
    }
  }
}

function say(message: PeerMessage): void {
  if (process.connected) process.send!(message, undefined, undefined, () => undefined);
}
