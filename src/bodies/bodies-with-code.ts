import type { Readable } from "node:stream";

/** What user code has of the answers of an exchange. */
export type BodiesWithCode = {
  /** The bodies that it has asked for as streams. */
  readonly opened: Readable[];
  /** Whether it has handed a stream over for the answer. */
  hasGiven: boolean;
  /** How many functions of it run. */
  running: number;
};

/** What user code has of the answers of an exchange that has just begun to be sent. */
export function noBodiesYet(): BodiesWithCode {
  return { opened: [], hasGiven: false, running: 0 };
}

/** Notes that code runs until what it gives is there. */
export async function whileCodeRuns<Given>(
  bodies: BodiesWithCode | undefined,
  run: () => Given | Promise<Given>,
): Promise<Given> {
  if (bodies === undefined) return run();
  bodies.running += 1;
  try {
    return await run();
  } finally {
    bodies.running -= 1;
  }
}

/** Whether a body may still give something, or fail. */
export function isUnderWay(body: Readable): boolean {
  return !body.destroyed && !body.readableEnded;
}

/** Lets a body fall silent: whoever has made something of it hears of no failure, and of no end. */
export function silence(body: Readable): void {
  Reflect.set(body, "emit", () => false);
}
