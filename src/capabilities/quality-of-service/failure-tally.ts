import type { BreakerSettings } from "./effective-quality.ts";

/** Counts how calls end, until that is too bad. */
type Tally = Readonly<{
  success: () => void;
  /** Whether that was one too many. */
  failure: () => boolean;
  clear: () => void;
}>;

/** Makes the tally of a breaker. */
export function createTally({ least, ratio, sampling }: BreakerSettings, now: () => number): Tally {
  return ratio === undefined
    ? countInARow(least)
    : countWithin(sampling, now, (failures, calls) => {
        return calls >= least && failures / calls >= ratio;
      });
}

function countInARow(most: number): Tally {
  let failures = 0;
  return { success: clear, failure: () => (failures += 1) >= most, clear };

  function clear(): void {
    failures = 0;
  }
}

const slots = 20;

/** Counts within a time that goes on with the clock, in slots: what is older counts no more, however many calls there are. */
function countWithin(span: number, now: () => number, isTooBad: (failures: number, calls: number) => boolean): Tally {
  const calls = new Float64Array(slots);
  const failures = new Float64Array(slots);
  let last = slotNow();
  return { success: () => void note(), failure: () => fail(), clear };

  function note(): number {
    const present = slotNow();
    if (present - last >= slots) clear();
    else for (let slot = last + 1; slot <= present; slot += 1) empty(slot % slots);
    last = present;
    calls[present % slots]! += 1;
    return present % slots;
  }

  function fail(): boolean {
    failures[note()]! += 1;
    return isTooBad(sumOf(failures), sumOf(calls));
  }

  function slotNow(): number {
    return Math.floor((now() * slots) / span);
  }

  function empty(slot: number): void {
    calls[slot] = 0;
    failures[slot] = 0;
  }

  function clear(): void {
    calls.fill(0);
    failures.fill(0);
  }
}

function sumOf(counts: Float64Array): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
