import type { Parameters } from "fast-check";

const seconds = Number(process.env["FUZZ_SECONDS"] ?? 0);

/** Time that each property may take in the long form, in milliseconds. */
export const longest = Math.max(5_000, seconds * 1_000 * 2);

/** A fixed number of runs with a fixed seed; with FUZZ_SECONDS as many as that time allows, from another seed each time. */
export function bounds<Values>(runs: number): Parameters<Values> {
  const seed = Number(process.env["FUZZ_SEED"] ?? (seconds > 0 ? Date.now() % 2 ** 31 : 6));
  if (seconds === 0) return { seed, numRuns: runs };
  return {
    seed,
    numRuns: Number.MAX_SAFE_INTEGER,
    interruptAfterTimeLimit: seconds * 1_000,
    markInterruptAsFailure: false,
  };
}
