import type { BreakerSettings } from "./effective-quality.ts";

/** Counts how calls end, until that is too bad. */
export type Tally = Readonly<{
  success: () => void;
  /** Whether that was one too many. */
  failure: () => boolean;
}>;

/** Makes the tally of a breaker; classes, as each host of each route has one. */
export function createTally(settings: BreakerSettings, now: () => number): Tally {
  return settings.ratio === undefined ? new CountInARow(settings.least) : new CountWithin(settings, now);
}

class CountInARow implements Tally {
  readonly #most: number;
  #failures = 0;

  constructor(most: number) {
    this.#most = most;
  }

  success(): void {
    this.#failures = 0;
  }

  failure(): boolean {
    this.#failures += 1;
    return this.#failures >= this.#most;
  }
}

const slots = 20;

/** Counts within a time that goes on with the clock, in slots: what is older counts no more, however many calls there are. */
class CountWithin implements Tally {
  readonly #settings: BreakerSettings;
  readonly #now: () => number;
  // Plain lists: typed ones take three times as much memory.
  readonly #calls = new Array<number>(slots).fill(0);
  readonly #failures = new Array<number>(slots).fill(0);
  #last: number;

  constructor(settings: BreakerSettings, now: () => number) {
    this.#settings = settings;
    this.#now = now;
    this.#last = this.#slotNow();
  }

  success(): void {
    this.#note();
  }

  failure(): boolean {
    this.#failures[this.#note()]! += 1;
    const { least, ratio = 1 } = this.#settings;
    const calls = sumOf(this.#calls);
    return calls >= least && sumOf(this.#failures) / calls >= ratio;
  }

  #note(): number {
    const present = this.#slotNow();
    const passed = Math.min(present - this.#last, slots);
    for (let slot = present - passed + 1; slot <= present; slot += 1) this.#empty(slot % slots);
    this.#last = present;
    this.#calls[present % slots]! += 1;
    return present % slots;
  }

  #slotNow(): number {
    return Math.floor((this.#now() * slots) / this.#settings.sampling);
  }

  #empty(slot: number): void {
    this.#calls[slot] = 0;
    this.#failures[slot] = 0;
  }
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
