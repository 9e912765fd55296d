import fc, { type IAsyncProperty } from "fast-check";

const seconds = Number(process.env.FUZZ_SECONDS ?? 0);

/** Whether a search may go on for as long as FUZZ_SECONDS say. */
export const isEndless = seconds > 0;

// Each suite loads this file anew, under a URL that names the suite.
const isLongForm = /\.(long|measured)\.ts$/.test(import.meta.url);

/** Whether it may take its time, instead of a moment: where `x.long.ts` runs what `x.test.ts` has, or FUZZ_SECONDS are set. */
export const isLong = isEndless || isLongForm;

/** The same each time, unless the search is endless; FUZZ_SEED repeats such a one. */
export const firstSeed = Number(process.env.FUZZ_SEED ?? (isEndless ? Date.now() % 1_000_000_000 : 6));

/** Time that each property may take, in milliseconds. */
export const longest = Math.max(120_000, seconds * 2_000);

/** Runs a property so many times from a fixed seed; with FUZZ_SECONDS again and again from other seeds until that time is up. */
export async function check<Values>(property: IAsyncProperty<Values>, numRuns: number): Promise<void> {
  const deadline = Date.now() + seconds * 1_000;
  let seed = firstSeed;
  do {
    await fc.assert(property, { seed, numRuns });
    seed += 1;
  } while (Date.now() < deadline);
}

/** All of them in the long form; in the short one each so-manieth, always the same; as many turns have all of them. */
export function sampled<Value>(values: readonly Value[], every: number, turn = firstSeed): readonly Value[] {
  return isLong ? values : eachOf(values, every, turn);
}

/** Those whose turn it is among so many; all of them in the long form. Unlike `sampled`, it falls in step with no list. */
export function takingTurns<Value>(values: readonly Value[], turns: number, turn: number): readonly Value[] {
  return isLong ? values : values.filter((_value, index) => sumOfDigits(index, turns) % turns === turn % turns);
}

function sumOfDigits(number: number, base: number): number {
  return Array.from(number.toString(base), Number).reduce((sum, digit) => sum + digit, 0);
}

/** Each so-manieth in every form. */
export function eachOf<Value>(values: readonly Value[], every: number, turn = firstSeed): readonly Value[] {
  return values.filter((_value, index) => index % every === turn % every);
}
