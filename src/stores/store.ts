import type { AnswerStore } from "./answer-store.ts";

/** How often something may be taken: so many times in a period, and how long not after the first refusal; milliseconds. */
export type Quota = Readonly<{
  limit: number;
  period: number;
  /** 0 where refusals end with the period. */
  wait: number;
}>;

/** What a store counts with: no span is longer, and Redis takes no longer one. */
export const longestSpan = Number.MAX_SAFE_INTEGER;

/** Who takes, and of what. */
export type Taking = Readonly<{
  /** Whose limits these are: all counts of a route are kept in one place. */
  route: string;
  /** What the clients of one limit have in common. */
  group: string;
  client: string;
  quota: Quota;
  /** 0 only looks. */
  amount: 0 | 1;
}>;

/** What came of taking; milliseconds. */
export type Taken = Readonly<{
  remaining: number;
  /** Until when nothing more can be taken; undefined where it was taken. */
  refusedFor: number | undefined;
  /** Until a new period begins. */
  resetsIn: number;
}>;

/**
 * Takes of one after the other, and stops behind the first that refuses: what comes back tells of those that were asked.
 * All by the store's own clock, in one step that no other comes between; exact however many take at the same time.
 */
export type Take = (takings: readonly Taking[]) => readonly Taken[] | Promise<readonly Taken[]>;

/** Keeps bytes by key for some time, and may lose them at any time. */
export type Entries = Readonly<{
  get: (key: string) => Promise<Buffer | undefined>;
  /** Keeps an entry for so many milliseconds. */
  set: (key: string, entry: Buffer, milliseconds: number) => Promise<unknown>;
  /** Adds 1 to a number that is 0 at first, and is never lost for itself; gives the sum. */
  increase: (key: string) => Promise<number>;
}>;

/** What all processes of a gateway share. */
export type Store = Readonly<{
  take: Take;
  /** Where caches keep answers; without it each process keeps its own. */
  entries?: Entries;
  /** Where this process keeps answers, where there are no entries; a memory store has it. */
  answers?: AnswerStore;
  /** How many seconds an answer may take, 0.05 by default. */
  timeout?: number;
  /** Where counts live, as people are told, such as `Redis`. */
  name?: string;
}>;
