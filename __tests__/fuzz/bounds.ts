import fc, { type IAsyncProperty } from "fast-check";

const seconds = Number(process.env.FUZZ_SECONDS ?? 0);

/** Whether it may take as long as FUZZ_SECONDS say, instead of a moment. */
export const isLong = seconds > 0;

/** The same each time in the short form; FUZZ_SEED repeats a long one. */
export const firstSeed = Number(process.env.FUZZ_SEED ?? (isLong ? Date.now() % 1_000_000_000 : 6));

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

/** All of them in the long form; in the short one each so-manieth, always the same. */
export function sampled<Value>(values: readonly Value[], every: number): readonly Value[] {
  return isLong ? values : values.filter((_value, index) => index % every === firstSeed % every);
}
