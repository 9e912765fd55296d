import { after, every } from "../unattended/guarded.ts";

/** Looks at something every now and then, and soon when asked to; never twice at the same time. */
type Looks = Readonly<{ soon: () => void; close: () => void }>;

/** How long something is left alone between two looks. */
export const lookMilliseconds = 50;

/** Looks at once, and from then on; keeps no process alive. */
export function scheduleLooks(interval: number, look: () => Promise<void>): Looks {
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let isClosed = false;
  const poll = every(interval, soon).unref();
  soon();
  return { soon, close };

  function soon(): void {
    if (!isClosed) timer ??= after(lookMilliseconds, lookNow).unref();
  }

  function lookNow(): void {
    timer = undefined;
    if (looking !== undefined) soon();
    else looking = look().finally(() => (looking = undefined));
  }

  function close(): void {
    isClosed = true;
    clearInterval(poll);
    clearTimeout(timer);
  }
}
