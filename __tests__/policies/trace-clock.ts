import { setTimeout as wait } from "node:timers/promises";

/** The clock of a trace, in milliseconds. */
export type TraceClock = Readonly<{
  now: () => number;
  pass: (milliseconds: number) => Promise<void>;
  /** Whether it is the machine's, which a gateway goes by that is told of none. */
  isReal: boolean;
}>;

/** Goes on where the trace waits, and stands still otherwise. */
export function createTestClock(): TraceClock {
  let passed = 0;
  return {
    now: () => passed,
    pass: (milliseconds) => Promise.resolve(void (passed += milliseconds)),
    isReal: false,
  };
}

/** The machine's. */
export const realClock: TraceClock = {
  now: () => performance.now(),
  pass: (milliseconds) => wait(milliseconds),
  isReal: true,
};
