import type { AnswerStore } from "./answer-store.ts";
import { createMemoryAnswers } from "./memory-answers.ts";
import { createMemoryCounts } from "./memory-counts.ts";
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

const usualAnswerBytes = 67_108_864;

/** Makes a store of this process alone. Its memory is bounded, however many names clients think up. */
export function memoryStore(options: MemoryStoreOptions = {}): MemoryStore {
  const { answerBytes = usualAnswerBytes, now = () => performance.now() } = options;
  let answers: AnswerStore | undefined;
  return {
    name: "the memory of this process",
    get answers() {
      return (answers ??= createMemoryAnswers({ bytes: answerBytes, now }));
    },
    take: createMemoryCounts(options).take,
  };
}
