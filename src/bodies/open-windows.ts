import { getHeapStatistics } from "node:v8";
import { OverloadError } from "../errors.ts";
import { every } from "../unattended/guarded.ts";

/** The window of a decompressor at work: what has come out of it, as far as what comes next may refer to that. */
export type OpenWindow = Readonly<{
  /** How many bytes it takes at the moment, at most. */
  bytes: () => number;
  /** How many bytes have come out so far. */
  given: () => number;
  /** Whether the decompressor waits for its reader, or for its service. */
  waits: () => boolean;
  /** Ends the answer, which frees the memory. */
  breakOff: (reason: OverloadError) => void;
}>;

/** The windows that are open at the same time. */
export type OpenWindows = Readonly<{ add: (window: OpenWindow) => void; remove: (window: OpenWindow) => void }>;

/** How much had come out of a window when it moved last, and for how many looks it has stood still since. */
type Standstill = { given: number; looks: number };

const millisecondsBetweenLooks = 250;
const looksWhenJustFull = 20;
const leastLooks = 4;

// Who takes a few bytes now and then, to keep the window, stands still.
const bytesOfMove = 65_536;

/** No answer is broken off for a window that takes less. */
export const bytesOfSmallWindow = 262_144;

/** The windows of this process. They are no part of V8's heap, whose limit tells how much memory the process may have. */
export const openWindows = createOpenWindows(Math.floor(getHeapStatistics().heap_size_limit / 4));

/**
 * Watches windows that may take so many bytes together. While they take more, answers that have stood still for five seconds
 * are broken off, those first that have for longest; the more memory it is, the sooner, but none within a second. So no answer
 * that moves waits for the windows of others, or fails because of them.
 */
export function createOpenWindows(mostBytes: number): OpenWindows {
  const standstills = new Map<OpenWindow, Standstill>();
  let looking: NodeJS.Timeout | undefined;
  return { add, remove };

  function add(window: OpenWindow): void {
    standstills.set(window, { given: window.given(), looks: 0 });
    looking ??= every(millisecondsBetweenLooks, look).unref();
  }

  function remove(window: OpenWindow): void {
    if (!standstills.delete(window) || standstills.size > 0) return;
    clearInterval(looking);
    looking = undefined;
  }

  function look(): void {
    for (const [window, standstill] of standstills) count(window, standstill);
    const together = bytesTogether(standstills.keys(), mostBytes);
    if (together <= mostBytes) return;
    breakOff(together - mostBytes, Math.max(leastLooks, (looksWhenJustFull * mostBytes) / together));
  }

  function breakOff(bytesTooMany: number, looksOfStill: number): void {
    let left = bytesTooMany;
    for (const [window, { looks }] of longestFirst(standstills)) {
      if (left <= 0 || looks < looksOfStill) return;
      const bytes = window.bytes();
      if (bytes <= bytesOfSmallWindow) continue;
      left -= bytes;
      window.breakOff(stoodStill());
    }
  }
}

function count(window: OpenWindow, standstill: Standstill): void {
  const given = window.given();
  if (given - standstill.given >= bytesOfMove) {
    standstill.given = given;
    standstill.looks = 0;
  } else if (window.waits()) standstill.looks += 1;
}

/** Windows take memory as they fill, and the process is asked how much that can be only where they might take too much. */
function bytesTogether(windows: Iterable<OpenWindow>, mostBytes: number): number {
  let bytes = 0;
  for (const window of windows) bytes += window.bytes();
  if (bytes <= mostBytes) return bytes;
  const { rss, heapTotal, arrayBuffers } = process.memoryUsage();
  return Math.min(bytes, rss - heapTotal - arrayBuffers);
}

function longestFirst(standstills: ReadonlyMap<OpenWindow, Standstill>): [OpenWindow, Standstill][] {
  return [...standstills].sort(([, one], [, other]) => other.looks - one.looks);
}

function stoodStill(): OverloadError {
  return new OverloadError(
    "overloaded",
    "An answer was broken off that stood still, as compressed answers take too much memory while they are decompressed.",
    { headers: { "retry-after": "1" } },
  );
}
