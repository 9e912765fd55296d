import { type Readable, Stream, type Writable } from "node:stream";
import type { UpstreamResponse } from "../delegating-handler.ts";
import { brokenOff } from "../bodies/broken-off.ts";
import { type PipedStream, pipesOf } from "../bodies/pipes-of.ts";
import { destroyAtEnd, failureOf, type Receiver } from "../bodies/stream-of-user-code.ts";
import { listenOnce } from "../unattended/guarded.ts";

const receiver = Symbol("receiver");
const early = Symbol("early");

/** An answer that remembers the streams that were assigned to it, so that a replaced stream does not stay open. */
export type StreamHolder = {
  /** The exchange to which the answer belongs, once that is known. */
  [receiver]: Receiver | undefined;
  /** Streams that were assigned before the exchange was known. */
  [early]: Readable[] | undefined;
};

/** Prepares an answer to remember streams. */
export function holdNothing(answer: StreamHolder): void {
  answer[receiver] = undefined;
  answer[early] = undefined;
}

/** Remembers a stream that was assigned to an answer. */
export function holdStream(answer: StreamHolder, stream: Readable): void {
  const { [receiver]: exchange } = answer;
  if (exchange === undefined) (answer[early] ??= []).push(stream);
  else destroyAtEnd(stream, exchange);
}

/** Lets all streams of an answer, present and future ones, end with an exchange at the latest. */
export function holdFor(answer: UpstreamResponse, exchange: Receiver): void {
  if (!isHolder(answer)) return holdBody(answer, exchange);
  for (const stream of answer[early] ?? []) destroyAtEnd(stream, exchange);
  answer[early] = undefined;
  answer[receiver] = exchange;
}

/** JavaScript lets handlers return anything. */
function holdBody(answer: Partial<UpstreamResponse> | undefined, exchange: Receiver): void {
  if (answer?.body instanceof Stream) destroyAtEnd(answer.body, exchange);
}

function isHolder(answer: unknown): answer is StreamHolder {
  return typeof answer === "object" && answer !== null && receiver in answer;
}

/** Breaks a stream off with the source that is piped into it: `pipe()` does not do so, and the client would wait forever. */
export function breakWithSource(stream: Readable, source: Readable): void {
  if (source.closed) breakOff();
  else listenOnce(source, "close", breakOff);

  function breakOff(): void {
    if (source.readableEnded || !feeds(source, stream)) return;
    const { writableEnded } = stream as Partial<Pick<Writable, "writableEnded">>;
    if (writableEnded !== true) stream.destroy(brokenOff(failureOf(source) ?? null));
  }
}

function feeds(source: PipedStream, stream: PipedStream): boolean {
  return pipesOf(source).some((piped) => piped === stream || feeds(piped, stream));
}
