import { hash } from "node:crypto";
import { beginCount, describeCount, takeOne } from "./period-and-wait.ts";
import { addCount, createCountedClients, findCount, groupOf, keepRefused } from "./counted-clients.ts";
import type { AnswerStore } from "./answer-store.ts";
import { createMemoryAnswers } from "./memory-answers.ts";
import type { Taken, Taking } from "./store.ts";

/** What {@link memoryStore} takes. */
export type MemoryStoreOptions = Readonly<{
  /** How many clients are counted at the same time: 100,000 by default. */
  clients?: number;
  /** How much cached answers may take, in bytes: 64 MiB by default. */
  answerBytes?: number;
  /** The clock in milliseconds, which never goes back. */
  now?: () => number;
}>;

/** A store that answers at once. */
export type MemoryStore = Readonly<{
  take: (takings: readonly Taking[]) => readonly Taken[];
  answers: AnswerStore;
  name: string;
}>;

const usualClients = 100_000;
const usualAnswerBytes = 67_108_864;

/** Makes a store of this process alone. Its memory is bounded, however many names clients think up. */
export function memoryStore(options: MemoryStoreOptions = {}): MemoryStore {
  const { clients: most = usualClients, now: readClock = () => performance.now() } = options;
  const { answerBytes = usualAnswerBytes } = options;
  const clients = createCountedClients(most);
  let answers: AnswerStore | undefined;

  return {
    name: "the memory of this process",
    get answers() {
      return (answers ??= createMemoryAnswers({ bytes: answerBytes, now: readClock }));
    },
    take(takings) {
      const now = readClock();
      const [only] = takings;
      // What is usual is made whole: a list that grows takes room for many at its first entry.
      if (only !== undefined && takings.length === 1) return [takeOf(only, now)];
      const taken: Taken[] = [];
      for (const taking of takings) {
        const found = takeOf(taking, now);
        taken.push(found);
        if (found.refusedFor !== undefined) break;
      }
      return taken;
    },
  };

  function takeOf({ group, client, quota, amount }: Taking, now: number): Taken {
    const place = { group: groupOf(clients, group), key: keyOf(client), now, quota };
    const found = findCount(clients, place);
    if (amount === 0) return describeCount(found ?? beginCount(now, quota), now, quota);
    const count = found ?? addCount(clients, place);
    takeOne(count, now, quota);
    if (count.isRefused) keepRefused(place, count);
    return describeCount(count, now, quota);
  }
}

/** The letters of a digest; a name that is shorter stands for itself, and can never be somebody's digest. */
const digestLetters = 32;

/** Names may be as long as a header: of each only this much is kept. */
function keyOf(client: string): string {
  return client.length < digestLetters ? client : hash("sha256", client, "buffer").toString("latin1");
}
