import { inPresentContext } from "../in-present-context.ts";
import { reportDefect } from "./defects.ts";
import { after } from "./guarded.ts";

/** Begins a wait; the function that comes back ends it before its time. */
export type BeginWait = (expire: () => void) => () => void;

type Wait = {
  readonly until: number;
  readonly expire: () => void;
  /** Calls back for whom the wait was begun: the timer is that of whoever was first. */
  readonly run: ReturnType<typeof inPresentContext>;
  previous: Wait;
  next: Wait;
};

/**
 * Waits that all last equally long, and so end in the order in which they began: a ring of them with one timer for the
 * first. A timer of its own would be the most expensive part of a request that this package adds.
 */
export function createDeadlines(milliseconds: number): BeginWait {
  const ring = createRing();
  let timer: NodeJS.Timeout | undefined;

  return function beginWait(expire) {
    const until = performance.now() + milliseconds;
    const wait: Wait = { until, expire, run: inPresentContext(), previous: ring.previous, next: ring };
    ring.previous.next = wait;
    ring.previous = wait;
    timer ??= after(milliseconds, endWaits).unref();
    return () => unlink(wait);
  };

  /** The timer runs only while a wait is open, and does not keep the process alive: a connection does. */
  function endWaits(): void {
    const now = performance.now();
    while (ring.next !== ring && ring.next.until <= now) {
      const { next } = ring;
      unlink(next);
      end(next);
    }
    timer = ring.next === ring ? undefined : after(Math.ceil(ring.next.until - now), endWaits).unref();
  }
}

/** A callback that throws must not keep the other waits waiting for ever. */
function end({ run, expire }: Wait): void {
  try {
    run(expire);
  } catch (error) {
    reportDefect(error);
  }
}

function createRing(): Wait {
  const ring = { until: Infinity, expire: () => undefined } as unknown as Wait;
  ring.previous = ring;
  ring.next = ring;
  return ring;
}

/** Takes a wait out of the ring; a wait that is out already stays out. */
function unlink(wait: Wait): void {
  wait.previous.next = wait.next;
  wait.next.previous = wait.previous;
  wait.previous = wait;
  wait.next = wait;
}
