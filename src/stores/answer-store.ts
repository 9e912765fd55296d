/** What is kept of an answer: its head as plain JSON, and the bytes of its body. */
export type KeptAnswer = Readonly<{ head: object; body: Buffer }>;

/** What was found under a key, and the generation in which it was looked for: what is kept in another one is gone. */
export type FoundAnswer = Readonly<{ kept: KeptAnswer | undefined; generation: string }>;

/** Where answers are kept under a key: in which generation, as it was found, and for how long. */
export type AnswerPlace = Readonly<{ key: string; generation: string; milliseconds: number }>;

/** Where answers live. What has been purged is not erased: its groups begin another generation. */
export type AnswerStore = Readonly<{
  /** Looks for what is kept under a key, unless its time is over, or one of the groups was purged since. */
  find: (key: string, groups: readonly string[]) => FoundAnswer | Promise<FoundAnswer>;
  keep: (place: AnswerPlace, answer: KeptAnswer) => void | Promise<void>;
  purge: (group: string) => void | Promise<void>;
}>;
