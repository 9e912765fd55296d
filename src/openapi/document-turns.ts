import { OverloadError } from "../errors.ts";
import { createTurns } from "../work-in-turn.ts";

/** Turns of documents; one that does not come in time is an error that says when to ask again. */
export type DocumentTurns = Readonly<{
  /** Gets a turn, and what hands it on. */
  take: () => Promise<() => void>;
  /** Does the work in a turn. */
  inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Tells whether somebody waits for a turn. */
  areAwaited: () => boolean;
}>;

const usualPatience = 20_000;
// As long as is kept that there is no document.
const retrySeconds = "10";

/** Makes turns that the documents of all gateways of the process share: so many at the same time. */
export function createDocumentTurns(atOnce: number, patience = usualPatience): DocumentTurns {
  const takeTurn = createTurns(atOnce, patience);
  let waiting = 0;
  return { take, inTurn, areAwaited: () => waiting > 0 };

  async function take(): Promise<() => void> {
    waiting += 1;
    const handOn = await takeTurn();
    waiting -= 1;
    if (handOn !== undefined) return handOn;
    const message = "Other OpenAPI documents take too long to be made.";
    throw new OverloadError("overloaded", message, { headers: { "retry-after": retrySeconds } });
  }

  async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const handOn = await take();
    try {
      return await work();
    } finally {
      handOn();
    }
  }
}
