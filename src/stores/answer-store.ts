import type { AnswerBody } from "../bodies/answer-body.ts";

/** What is kept of an answer: its head as plain JSON, and the bytes of its body. */
export type KeptAnswer = Readonly<{
  head: object;
  body: Buffer;
  /** The body ready to be given, from a store that finds the same bytes again and again. */
  whole?: AnswerBody | undefined;
}>;

/** What was found under a key, and the generation in which it was looked for: what is kept in another one is gone. */
export type FoundAnswer = Readonly<{ kept: KeptAnswer | undefined; generation: string }>;

/** The group of all answers. */
export const groupOfAll = "waymark:cache:purged:all";

/** How a generation begins where nobody can tell what was purged: nothing is found in it, and nothing kept. */
export const unknownGeneration = "?";

/** Where answers are kept under a key: in which generation, as it was found, for how long, and what they are purged by. */
export type AnswerPlace = Readonly<{
  key: string;
  generation: string;
  milliseconds: number;
  groups?: readonly string[] | undefined;
}>;

/** How much is kept, and how much may be. */
export type KeptAmount = Readonly<{ entries: number; bytes: number; mostBytes: number }>;

/** Where answers live. What has been purged need not be erased: its groups begin another generation. */
export type AnswerStore = Readonly<{
  /** Looks for what is kept under a key, unless its time is over, or one of the groups was purged since. */
  find: (key: string, groups: readonly string[]) => FoundAnswer | Promise<FoundAnswer>;
  keep: (place: AnswerPlace, answer: KeptAnswer) => void | Promise<void>;
  purge: (group: string) => void | Promise<void>;
  /** Begins another generation of groups that have few answers; where that cannot be noted, all answers are over, at the latest when any could be found again. */
  outdate: (groups: readonly string[]) => void | Promise<void>;
  /** Lets no answer be found that is kept by now; what comes to be kept is as ever. */
  endAll: () => void;
  /** How much this process keeps; undefined where that is not known. */
  amount?: () => KeptAmount | undefined;
}>;
