import { UpstreamError } from "../errors.ts";
import type { Sink } from "./answer-body.ts";

/**
 * Lets as many bytes through as the head of an answer tells: with more, the rest would be read as the next answer; with
 * less, the next answer would be read as the rest.
 */
export function measureSink(sink: Sink, length: number, stop: (reason: Error) => unknown): Sink {
  let missing = length;
  let isOver = false;
  return { write, end, fail };

  function write(piece: Buffer): boolean {
    if (isOver) return false;
    missing -= piece.length;
    if (missing >= 0) return sink.write(piece);
    const reason = wrongLength("longer");
    fail(reason);
    stop(reason);
    return false;
  }

  function end(last?: Buffer): void {
    if (isOver) return;
    missing -= last?.length ?? 0;
    if (missing === 0) sink.end(last);
    else fail(wrongLength(missing > 0 ? "shorter" : "longer"));
  }

  function fail(error: Error): void {
    if (isOver) return;
    isOver = true;
    sink.fail(error);
  }
}

function wrongLength(how: "longer" | "shorter"): UpstreamError {
  return new UpstreamError("upstream-ill-formed", `The body of the answer is ${how} than its Content-Length.`);
}
