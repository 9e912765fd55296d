import { after } from "../unattended/guarded.ts";

/** Something under way that can be cut off. */
export type Running = {
  readonly destroy: () => void;
  /** Of a WebSocket only: its route as it was when the WebSocket opened. */
  readonly version?: Readonly<{ isRetired: boolean }>;
  /** Its index in the list, which alone sets it. */
  place?: number | undefined;
};

/** How much is under way. */
type RunningCount = Readonly<{ requests: number; sockets: number }>;

/** Everything that is under way. */
export type RunningList = Readonly<{
  begin: (running: Running) => void;
  end: (running: Running) => void;
  /** How many requests are under way, and how many WebSockets are open. */
  count: () => RunningCount;
  all: () => Running[];
  retired: () => Running[];
  /** Resolves when nothing runs any more, or after some milliseconds. */
  idleWithin: (milliseconds: number) => Promise<void>;
}>;

/** Makes an empty list. */
export function createRunningList(): RunningList {
  // Not a Set: each table that a busy Set gives up points to the next, so that one old table keeps all of them, and the
  // requests in them, until the next full garbage collection: up to a third of the time of a request.
  const running: Running[] = [];
  let whenIdle: (() => void) | undefined;
  const retired = (): Running[] => running.filter(({ version }) => version?.isRetired === true);
  return { begin, end, count, all: () => [...running], retired, idleWithin };

  function begin(exchange: Running): void {
    exchange.place = running.push(exchange) - 1;
  }

  /** The last one takes the place that becomes free. */
  function end(exchange: Running): void {
    const { place } = exchange;
    if (place === undefined) return;
    exchange.place = undefined;
    const last = running.pop()!;
    if (last !== exchange) {
      running[place] = last;
      last.place = place;
    }
    if (running.length === 0) whenIdle?.();
  }

  function count(): RunningCount {
    const sockets = running.filter(({ version }) => version !== undefined).length;
    return { requests: running.length - sockets, sockets };
  }

  function idleWithin(milliseconds: number): Promise<void> {
    if (running.length === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = after(milliseconds, resolve);
      whenIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
