import { isWhole } from "../config/files/file-states.ts";
import { lookMilliseconds } from "./schedule-looks.ts";

/** How many milliseconds files must stay the same before they count as written; and before they do where one is gone or empty. */
export type Patience = Readonly<{ whole: number; doubtful: number }>;

export const patienceForOne: Patience = { whole: 50, doubtful: 1_000 };
// Files of a set are written one after the other: they count as written when none has changed for half a second.
export const patienceForSeveral: Patience = { whole: 500, doubtful: 5_000 };

/** Makes the function that tells whether what has changed is the same as before, and will most likely stay so. */
export function createSettling(): (changes: string, patience: Patience) => boolean {
  let latest: string | undefined;
  let looks = 0;
  return function hasSettled(changes, { whole, doubtful }) {
    looks = changes === latest ? looks + 1 : 0;
    latest = changes;
    return looks * lookMilliseconds >= (isWhole(changes) ? whole : doubtful);
  };
}
