import { after } from "../unattended/guarded.ts";
import { withinTime } from "../unattended/within-time.ts";
import { isPromise } from "../when-rejected.ts";
import { createWaiting } from "./store-time-limit.ts";

/** What was answered, at once or later; undefined while there is nobody to ask. */
export type Answer<Value> = Value | undefined | Promise<Value | undefined>;

/** Hears that a store is away, and why, or that it is back. */
export type StoreTold = (state: "away" | "there", error?: unknown) => void;

type WatchParts = Readonly<{
  /** How long an answer may take. */
  milliseconds: number;
  /** Finds out whether a store that was away is back; fails otherwise. */
  probe: () => Promise<unknown>;
  told: StoreTold;
}>;

/** Asks something that may be away. */
type Watch = Readonly<{
  /** Nobody waits longer than the time that an answer may take; while it is away, nobody asks, and nobody waits. */
  ask: <Value>(question: () => Value | Promise<Value>) => Answer<Value>;
  /** Sends what nobody waits for, unless it is away: late is no failure. Resolves when that is over. */
  send: (message: () => Promise<unknown>) => Promise<void>;
  close: () => void;
}>;

const probePause = 1_000;

/** Makes the function that asks. Whatever fails, or takes too long, is away for all; one probe a second finds it back. */
export function createWatch({ milliseconds, probe, told }: WatchParts): Watch {
  const waiting = createWaiting({ milliseconds, failed: noteAway });
  let isAway = false;
  let isClosed = false;
  let nextProbe: NodeJS.Timeout | undefined;

  return {
    ask(question) {
      if (isAway) return undefined;
      try {
        const answer = question();
        return isPromise(answer) ? waiting.wait(answer) : answer;
      } catch (error) {
        noteAway(error);
        return undefined;
      }
    },
    async send(message) {
      if (isAway) return;
      try {
        await message();
      } catch (error) {
        noteAway(error);
      }
    },
    close() {
      isClosed = true;
      clearTimeout(nextProbe);
      waiting.giveUp();
    },
  };

  function noteAway(error: unknown): void {
    if (isAway || isClosed) return;
    isAway = true;
    waiting.giveUp();
    told("away", error);
    probeLater();
  }

  function probeLater(): void {
    nextProbe = after(probePause, () => void tryAgain()).unref();
  }

  async function tryAgain(): Promise<void> {
    const isBack = await withinTime(probe(), milliseconds).then(yes, no);
    if (isClosed) return;
    isAway = !isBack;
    if (isBack) told("there");
    else probeLater();
  }
}

const yes = (): boolean => true;
const no = (): boolean => false;
