import { addNewest, type ByAge, createByAge, removeAged } from "../by-age.ts";
import type { Cancellation } from "../cancellation.ts";
import { nextTurn } from "../unattended/guarded.ts";

/** Who has, or wants, a connection to an origin: an exchange has one place there, however often it asks. */
type PlaceSeeker = Readonly<{ exchange: object; origin: string; onCancel: Cancellation["onCancel"] }>;

/** Lets requests have connections while there is room for them. */
export type ConnectionPlaces = Readonly<{
  /** Runs what needs a connection, at once or when there is room; the place is free when that fails, or is over. */
  withPlace: <Result>(seeker: PlaceSeeker, run: () => Promise<Result>) => Promise<Result>;
}>;

/**
 * The exchanges that have a place at one origin, and for how many requests, and those that wait for one with their
 * requests, the first of them first.
 */
type Line = Readonly<{ holders: Map<object, number>; waiting: ByAge<Set<() => void>, object> }>;

/**
 * Lets each origin have some exchanges of a route at the same time, and so as many connections. A place is given back when
 * its exchange is over, and its connection free.
 */
export function createConnectionPlaces(most: number): ConnectionPlaces {
  const lines = new Map<string, Line>();
  return { withPlace };

  async function withPlace<Result>(seeker: PlaceSeeker, run: () => Promise<Result>): Promise<Result> {
    const { origin, exchange, onCancel } = seeker;
    const line: Line = lines.get(origin) ?? { holders: new Map(), waiting: createByAge() };
    lines.set(origin, line);
    let hasLeft = false;
    // A handler that asks once more while it keeps an answer would wait for itself.
    if (line.holders.has(exchange) || line.holders.size < most) enter(line, exchange);
    else await waitIn(line, seeker);
    // In the same turn the engine may not know yet that a connection is free, and would open another one.
    onCancel(() => nextTurn(leave));
    try {
      return await run();
    } catch (failure) {
      leave();
      throw failure;
    }

    function leave(): void {
      if (hasLeft) return;
      hasLeft = true;
      const more = line.holders.get(exchange)! - 1;
      if (more > 0) {
        line.holders.set(exchange, more);
        return;
      }
      line.holders.delete(exchange);
      while (line.holders.size < most && line.waiting.oldest !== undefined) {
        // An exchange may wait with several requests: with some of them it would wait for itself.
        for (const goIn of line.waiting.oldest.value) goIn();
      }
      // Origins may come from middleware, and so be without end.
      if (line.holders.size === 0) lines.delete(origin);
    }
  }
}

function enter({ holders }: Line, exchange: object): void {
  holders.set(exchange, (holders.get(exchange) ?? 0) + 1);
}

/** Waits for its turn; a client that leaves the line keeps nobody behind it waiting. */
function waitIn(line: Line, { exchange, onCancel }: PlaceSeeker): Promise<void> {
  const { waiting } = line;
  return new Promise((resolve, reject) => {
    const requests = waiting.entries.get(exchange)?.value ?? new Set<() => void>();
    if (requests.size === 0) addNewest(waiting, exchange, requests);
    requests.add(goIn);
    onCancel((reason) => {
      if (leaveLine()) reject(reason);
    });

    function goIn(): void {
      leaveLine();
      enter(line, exchange);
      resolve();
    }

    function leaveLine(): boolean {
      const isThere = requests.delete(goIn);
      if (isThere && requests.size === 0) removeAged(waiting, exchange);
      return isThere;
    }
  });
}
