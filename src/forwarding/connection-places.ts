import type { Cancellation } from "../cancellation.ts";

/** Who has, or wants, a connection to an origin: an exchange has one place there, however often it asks. */
export type PlaceSeeker = Readonly<{ exchange: object; origin: string; onCancel: Cancellation["onCancel"] }>;

/** Lets requests have connections while there is room for them. */
export type ConnectionPlaces = Readonly<{
  /** Runs what needs a connection, at once or when there is room; the place is free when that fails, or is over. */
  withPlace: <Result>(seeker: PlaceSeeker, run: () => Promise<Result>) => Promise<Result>;
}>;

/** The exchanges that have a place at one origin, and those that wait for one, the first of them first. */
type Line = Readonly<{ holders: Set<object>; waiting: Set<() => void> }>;

/**
 * Lets each origin have some exchanges of a route at the same time, and so as many connections. A place is given back when
 * its exchange is over: by then its connection is free.
 */
export function createConnectionPlaces(most: number): ConnectionPlaces {
  const lines = new Map<string, Line>();
  return { withPlace };

  async function withPlace<Result>(seeker: PlaceSeeker, run: () => Promise<Result>): Promise<Result> {
    const { origin, exchange, onCancel } = seeker;
    const line = lines.get(origin) ?? { holders: new Set(), waiting: new Set() };
    lines.set(origin, line);
    // A handler that asks once more while it keeps an answer would wait for itself.
    if (line.holders.has(exchange)) return run();
    if (line.holders.size < most) line.holders.add(exchange);
    else await waitIn(line, seeker);
    onCancel(leave);
    try {
      return await run();
    } catch (failure) {
      leave();
      throw failure;
    }

    function leave(): void {
      if (!line.holders.delete(exchange)) return;
      const [next] = line.waiting;
      next?.();
      // Origins may come from middleware, and so be without end.
      if (next === undefined && line.holders.size === 0) lines.delete(origin);
    }
  }
}

/** Waits for its turn; a client that leaves the line keeps nobody behind it waiting. */
function waitIn({ holders, waiting }: Line, { exchange, onCancel }: PlaceSeeker): Promise<void> {
  return new Promise((resolve, reject) => {
    waiting.add(enter);
    onCancel((reason) => {
      if (waiting.delete(enter)) reject(reason);
    });

    function enter(): void {
      waiting.delete(enter);
      holders.add(exchange);
      resolve();
    }
  });
}
