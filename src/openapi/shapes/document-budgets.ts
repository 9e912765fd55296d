import type { Steps } from "../../time-slices.ts";
import { sizeOf } from "./size-of.ts";

/** How much there may be of something. */
type Budget = Readonly<{
  /** Counts a value; false once all that was counted is more than there may be. */
  allows: (value: unknown) => Steps<boolean>;
  /** The bytes that there still may be. */
  left: () => number;
}>;

/** How much of a document may be read, and how much may be written: a few references can lead to the same large part. */
export type Budgets = Readonly<{
  /** Of the service's document: what is read very often takes time, even if nothing of it is kept. */
  read: Budget;
  /** Of the new one: the names in it, references and repeated texts may be longer than what they were made of. */
  written: Budget;
}>;

/** Whoever reads the members of one list or object reads all of them in one go. */
export const mostMembers = 50_000;

// Four times what is fetched: an operation may be at several places.
const mostBytes = 32 * 1_024 * 1_024;

/** Makes the budgets of one document. */
export function createBudgets(mostWritten = mostBytes): Budgets {
  return { read: createBudget(mostBytes), written: createBudget(mostWritten) };
}

function createBudget(most: number): Budget {
  let left = most;
  return { allows, left: () => left };

  function* allows(value: unknown): Steps<boolean> {
    if (left > 0) left -= yield* sizeOf(value, left);
    return left > 0;
  }
}
