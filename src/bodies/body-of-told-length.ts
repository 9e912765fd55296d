import { UpstreamError } from "../errors.ts";
import type { Sink } from "./answer-body.ts";

/** What a measured body must be, and what becomes of one that is not. */
type Measure = Readonly<{
  /** How many bytes the head tells. */
  length: number;
  /** Tells the source that nothing more is wanted. */
  stop: (reason: Error) => unknown;
  /** The failure of a body of another length; that of an upstream's answer where this is absent. */
  toWrong?: (how: WrongLength) => Error;
}>;

/** How a body differs from what its head tells. */
export type WrongLength = "longer" | "shorter";

/**
 * Lets as many bytes through as the head of a message tells: with more, the rest would be read as the next message; with
 * less, the next message would be read as the rest.
 */
export function measureSink(sink: Sink, { length, stop, toWrong = wrongAnswer }: Measure): Sink {
  let missing = length;
  let isOver = false;
  return { write, end, fail };

  function write(piece: Buffer): boolean {
    if (isOver) return false;
    missing -= piece.length;
    if (missing >= 0) return sink.write(piece);
    const reason = toWrong("longer");
    fail(reason);
    stop(reason);
    return false;
  }

  function end(last?: Buffer): void {
    if (isOver) return;
    missing -= last?.length ?? 0;
    if (missing === 0) sink.end(last);
    else fail(toWrong(missing > 0 ? "shorter" : "longer"));
  }

  function fail(error: Error): void {
    if (isOver) return;
    isOver = true;
    sink.fail(error);
  }
}

function wrongAnswer(how: WrongLength): UpstreamError {
  return new UpstreamError("upstream-ill-formed", `The body of the answer is ${how} than its Content-Length.`);
}
