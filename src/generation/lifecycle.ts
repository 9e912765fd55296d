import type { Engine } from "../proxy/engine.ts";
import { runInSlices, type Steps } from "../slices.ts";

/** Something under way that can be cut off. */
export type Running = {
  readonly destroy: () => void;
  /** Only of a WebSocket: where its route stands. */
  readonly standing?: Readonly<{ isRetired: boolean }>;
  /** Where it stands among all that run; the lifecycle's own. */
  place?: number | undefined;
};

/** What is under way in a gateway, and its end. */
export type Lifecycle = Readonly<{
  isClosing: () => boolean;
  begin: (running: Running) => void;
  end: (running: Running) => void;
  /** How many requests are under way, and how many WebSockets are open. */
  count: () => Readonly<{ requests: number; sockets: number }>;
  /** Cuts off the WebSockets of routes that are retired. */
  destroyRetired: () => Promise<void>;
  /** Calls the listener when closing begins. */
  onClose: (listener: () => void) => void;
  close: (options?: Readonly<{ grace?: number }>) => Promise<void>;
}>;

const defaultGraceSeconds = 10;
const longestTimer = 2_147_483_647;
// What was destroyed may still have a word to say: a WebSocket closes with a frame.
const farewellMilliseconds = 2_000;

/** Keeps count of what runs, so that closing can wait for it. */
export function createLifecycle(engine: Engine): Lifecycle {
  // Not a Set: each table that a busy Set gives up points to the next, so that one old table keeps all of them, and the
  // requests in them, until the next full garbage collection: up to a third of the time of a request.
  const running: Running[] = [];
  const closeListeners: (() => void)[] = [];
  let closed: Promise<void> | undefined;
  let whenIdle: (() => void) | undefined;

  return {
    isClosing: () => closed !== undefined,
    begin,
    end,
    count,
    destroyRetired: () => runInSlices(destroyEach(running.filter(({ standing }) => standing?.isRetired === true))),
    onClose: (listener) => void closeListeners.push(listener),
    close: ({ grace = defaultGraceSeconds } = {}) => (closed ??= closeAll(grace)),
  };

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

  function count(): Readonly<{ requests: number; sockets: number }> {
    const sockets = running.filter(({ standing }) => standing !== undefined).length;
    return { requests: running.length - sockets, sockets };
  }

  async function closeAll(grace: number): Promise<void> {
    for (const listener of closeListeners) listener();
    await idleWithin(Math.min(grace * 1_000, longestTimer));
    for (const exchange of [...running]) exchange.destroy();
    await idleWithin(farewellMilliseconds);
    await engine.close();
  }

  function idleWithin(milliseconds: number): Promise<void> {
    if (running.length === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      whenIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

function* destroyEach(running: readonly Running[]): Steps<void> {
  for (const { destroy } of running) {
    yield;
    destroy();
  }
}
