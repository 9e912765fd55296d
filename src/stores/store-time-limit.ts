import { after, nextTurn } from "../unattended/guarded.ts";

/** How long a store may take for a count, where it says nothing itself. */
export const usualSeconds = 0.05;

/** An answer may be a megabyte and more, which a store sends in its time, and still sooner than a service. */
export const timesLonger = 5;

type Waiter = Readonly<{ until: number; giveUp: () => void }>;

type WaitingParts = Readonly<{
  /** How long an answer may take. */
  milliseconds: number;
  /** Hears of answers that fail, or are late. */
  failed: (error: unknown) => void;
}>;

/** Who waits for answers. */
type Waiting = Readonly<{
  /** Waits for an answer; undefined where it fails, or nobody waits for it any more. */
  wait: <Value>(answer: Promise<Value>) => Promise<Value | undefined>;
  /** Lets nobody wait any longer. */
  giveUp: () => void;
}>;

/** Makes a list of those who wait, all for the same time: one clock is enough, where a timer for each would be dear. */
export function createWaiting({ milliseconds, failed }: WaitingParts): Waiting {
  // In the order in which they began to wait.
  const waiters = new Set<Waiter>();
  let clock: NodeJS.Timeout | undefined;
  return { wait, giveUp };

  function wait<Value>(answer: Promise<Value>): Promise<Value | undefined> {
    return new Promise((resolve) => {
      const waiter: Waiter = { until: performance.now() + milliseconds, giveUp: () => resolve(undefined) };
      waiters.add(waiter);
      clock ??= after(milliseconds, lookAtClock).unref();
      answer.then(
        (value) => {
          waiters.delete(waiter);
          resolve(value);
        },
        (error: unknown) => {
          // Who has given up has told why already.
          if (waiters.delete(waiter)) failed(error);
          resolve(undefined);
        },
      );
    });
  }

  function lookAtClock(): void {
    const [oldest] = waiters;
    const left = oldest === undefined ? 0 : oldest.until - performance.now();
    if (oldest === undefined) clock = undefined;
    else if (left > 0) clock = after(Math.ceil(left), lookAtClock).unref();
    // A process that was busy itself finds the answer among what has come in meanwhile.
    else nextTurn(() => endWait(oldest));
  }

  function endWait(oldest: Waiter): void {
    if (waiters.has(oldest)) failed(new Error(`It gave no answer within ${milliseconds} ms.`));
    lookAtClock();
  }

  function giveUp(): void {
    for (const waiter of waiters) waiter.giveUp();
    waiters.clear();
  }
}
