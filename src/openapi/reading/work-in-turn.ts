/** Does work as soon as its turn comes, and tells what it came to. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Makes turns for work that costs much: so many at the same time, and the others in the order in which they came. */
export function createTurns(atOnce: number): InTurn {
  const waiting: (() => void)[] = [];
  let free = atOnce;
  return inTurn;

  async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // A turn is handed on: whoever comes in between would take it otherwise.
      if (next === undefined) free += 1;
      else next();
    }
  }
}
