import { withAllDigits } from "../../with-all-digits.ts";

/** How much of a document may be copied: a few references can lead to the same large part, very often. */
export type Budget = Readonly<{
  /** Counts what is to be copied; false once that is more than there may be. */
  allows: (part: unknown) => boolean;
}>;

// Four times what is fetched: an operation may be at several places.
const mostCharacters = 32 * 1_024 * 1_024;

/** Makes the budget of one document. */
export function createBudget(): Budget {
  let left = mostCharacters;
  return {
    allows(part) {
      // Undefined has no text.
      if (left > 0) left -= ((JSON.stringify(part, withAllDigits) as string | undefined) ?? "").length;
      return left > 0;
    },
  };
}
