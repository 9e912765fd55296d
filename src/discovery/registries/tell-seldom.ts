import { after } from "../../unattended/guarded.ts";
import { measure, restAfter } from "../rest-after-work.ts";

/** Tells what has changed, and never so often that nothing else gets done. */
export type SeldomTelling = Readonly<{
  now: () => void;
  /** Something has changed: it is told as soon as it may be, together with what changes until then. */
  soon: () => void;
  /** What has changed and is not told yet is told now. */
  end: () => void;
  /** Milliseconds to wait until as much was rested as the last telling asks for. */
  rest: () => number;
}>;

const leastBetween = 50;

/**
 * Makes the telling of something that may change many times a second, and may take long to tell; `failed` hears of what
 * could not be told later on.
 */
export function tellSeldom(tell: () => void, failed: (error: unknown) => void): SeldomTelling {
  let timer: NodeJS.Timeout | undefined;
  let next = -Infinity;
  return { now, soon, end, rest };

  function soon(): void {
    timer ??= after(rest(), later).unref();
  }

  function later(): void {
    try {
      now();
    } catch (error) {
      failed(error);
    }
  }

  function now(): void {
    clearTimeout(timer);
    timer = undefined;
    const took = measure(tell);
    next = performance.now() + Math.max(leastBetween, restAfter(took));
  }

  function end(): void {
    if (timer !== undefined) now();
  }

  function rest(): number {
    return Math.max(0, next - performance.now());
  }
}
