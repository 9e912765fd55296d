import type { Answer } from "./store-away.ts";

/** The ends of all answers that a store which is away has not heard of. */
type OwedEnds = Readonly<{
  /** Whether any is owed: until it is settled, nobody can tell what is kept. */
  areOwed: () => boolean;
  /** Ends all answers: at once, or as soon as the store is back. */
  owe: () => void;
  /** Settles what is owed, as far as the store answers. */
  settle: () => void;
}>;

/** Ends the generation of all answers as often as it is owed; `endAll` gives undefined while the store is away. */
export function createOwedEnds(endAll: () => Answer<number>): OwedEnds {
  let owed = 0;
  let isSettling = false;
  return { areOwed: () => owed > 0, owe, settle };

  function owe(): void {
    owed += 1;
    settle();
  }

  /** What is owed while the store answers is not settled by that answer. */
  function settle(): void {
    if (owed === 0 || isSettling) return;
    const settled = owed;
    const answer = endAll();
    if (answer === undefined) return;
    isSettling = true;
    void Promise.resolve(answer).then((number) => {
      isSettling = false;
      if (number === undefined) return;
      owed -= settled;
      settle();
    });
  }
}
