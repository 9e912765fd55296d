import { after } from "./unattended/guarded.ts";

/** Waits, unless a signal ends that; an open pause keeps no process running. */
export async function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const timer = after(milliseconds, end).unref();
    signal.addEventListener("abort", end, { once: true });

    function end(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    }
  });
}
