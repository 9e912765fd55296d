import type { Readable } from "node:stream";
import { createPipedByCode, type PipedByCode } from "./piped-by-code.ts";

/** What user code has of the bodies of an exchange. */
export type BodiesWithCode = {
  /** The bodies of answers that it has asked for as streams. */
  readonly opened: Readable[];
  /** What it has piped bodies into; undefined where it has had none as a stream. */
  piped: PipedByCode | undefined;
  /** Whether it has handed a stream over for the answer. */
  hasGiven: boolean;
  /** How many functions of it run. */
  running: number;
};

/** What user code has of the bodies of an exchange that has just begun to be sent. */
export function noBodiesYet(): BodiesWithCode {
  return { opened: [], piped: undefined, hasGiven: false, running: 0 };
}

/** Notes where code pipes a body that it has got as a stream. */
export function followPipes(bodies: BodiesWithCode | undefined, body: Readable): void {
  if (bodies !== undefined) (bodies.piped ??= createPipedByCode()).follow(body);
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
