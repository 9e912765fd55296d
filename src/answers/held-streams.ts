import { type Readable, Stream } from "node:stream";
import type { UpstreamResponse } from "../delegating-handler.ts";
import { destroyAtEnd, type Receiver } from "../bodies/given-stream.ts";

const receiver = Symbol("receiver");
const early = Symbol("early");

/** An answer that knows which streams it was given, so that one that was replaced does not stay open. */
export type StreamHolder = {
  /** The exchange that it is for, as soon as that is known. */
  [receiver]: Receiver | undefined;
  /** What was given before. */
  [early]: Readable[] | undefined;
};

/** Makes a holder of an answer. */
export function holdNothing(answer: StreamHolder): void {
  answer[receiver] = undefined;
  answer[early] = undefined;
}

/** Remembers a stream that an answer was given. */
export function holdStream(answer: StreamHolder, stream: Readable): void {
  const { [receiver]: exchange } = answer;
  if (exchange === undefined) (answer[early] ??= []).push(stream);
  else destroyAtEnd(stream, exchange);
}

/** Lets all streams that an answer was given or will be given end with an exchange at the latest. */
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
