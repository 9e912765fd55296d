import { after } from "../../unattended/guarded.ts";
import { restAfter } from "../../rest-after-work.ts";
import type { ShareOfTime } from "../../asking/share-of-time.ts";

/** Tells what has changed, and never so often that nothing else gets done. */
export type SeldomTelling = Readonly<{
  now: () => void;
  /** Something has changed: it is told as soon as it may be, together with what changes until then. */
  soon: () => void;
  /** What has changed and is not told yet is told as soon as the share of time allows it. */
  end: () => Promise<void>;
  /** Milliseconds to wait until as much was rested as the last telling asks for. */
  rest: () => number;
}>;

/** What is told, within which share of time, until when; `failed` hears of what could not be told later on. */
type Told = Readonly<{
  tell: () => void;
  failed: (error: unknown) => void;
  share: Pick<ShareOfTime, "wait" | "spend">;
  signal: AbortSignal;
}>;

const leastBetween = 50;

/** Makes the telling of something that may change many times a second, and may take long to tell. */
export function tellSeldom({ tell, failed, share, signal }: Told): SeldomTelling {
  let timer: NodeJS.Timeout | undefined;
  let next = -Infinity;
  return { now, soon, end, rest };

  function soon(): void {
    timer ??= after(rest(), () => void later()).unref();
  }

  async function later(): Promise<void> {
    try {
      await end();
    } catch (error) {
      failed(error);
    }
  }

  function now(): void {
    clearTimeout(timer);
    timer = undefined;
    const took = share.spend(tell);
    next = performance.now() + Math.max(leastBetween, restAfter(took));
  }

  async function end(): Promise<void> {
    if (!isDue()) return;
    await share.wait(signal);
    // It was told meanwhile, or nobody wants to hear it any more.
    if (isDue() && !signal.aborted) now();
  }

  function isDue(): boolean {
    return timer !== undefined;
  }

  function rest(): number {
    return Math.max(0, next - performance.now());
  }
}
