import type { Refusal } from "./reasons.ts";
import type { ServiceAnswer } from "./service-answer.ts";
import type { Target } from "./target.ts";

/** What is certain about a request in the end: an answer, a reason of the naming service's own, or a dropped connection. */
export type Settlement<Answer> = Readonly<{ answer: Answer }> | Refusal | "drop";

/** What one try came to; `again` resolves once more. */
export type Verdict<Answer> = Settlement<Answer> | "again";

/** One try: what happened, for the log, and what follows from it. */
export type Sent<Answer> = Readonly<{ result: string; verdict: Verdict<Answer> }>;

/** How requests of one kind, ordinary or upgrade, are sent and judged. */
export type Transport<Answer> = Readonly<{
  send: (target: Target, milliseconds: number) => Promise<Sent<Answer>>;
  /** The verdict on an answer that opens no tunnel. */
  judge: (answer: ServiceAnswer) => Verdict<Answer>;
  /** The verdict when a replica closes the connection, or answers too late. */
  failed: (failure: "dropped" | "late") => Verdict<Answer>;
  /** How long an answer may take when this much time is left. */
  patience: (milliseconds: number) => number;
}>;
