import { type Readable, Stream } from "node:stream";
import type { UpstreamResponse } from "../delegating-handler.ts";
import { followPipes, noteAssignedByCode, noteOpenedByCode } from "../bodies/with-code/bodies-with-code.ts";
import { breakPipesWithGiven, breakPipesWithOpened } from "../bodies/with-code/break-pipes.ts";
import { destroyAtEnd } from "../bodies/with-code/destroy-at-end.ts";
import { hearUnheard } from "../bodies/with-code/hear-unheard.ts";
import { hearMadeByOperators } from "../bodies/with-code/made-by-operators.ts";
import { outlast } from "../bodies/with-code/outlast-exchange.ts";
import { type Receiver, watchGiven } from "../bodies/with-code/stream-of-user-code.ts";

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
  noteAssignedByCode(stream);
  if (exchange === undefined) (answer[early] ??= []).push(stream);
  else hold(stream, exchange);
}

/** Notes that code has asked for the body of an answer as a stream, which it may pipe into one of its own. */
export function noteOpened(answer: StreamHolder, stream: Readable): void {
  const { [receiver]: exchange } = answer;
  noteOpenedByCode(exchange?.bodiesWithCode, stream);
  breakPipesWithOpened(stream, exchange?.context.res);
  hearMadeByOperators(stream, (made) => {
    const { [receiver]: present } = answer;
    followPipes(present?.bodiesWithCode, made);
    breakPipesWithOpened(made, present?.context.res);
    hearUnheard(made, stream, present?.cancellation.logger);
  });
}

/** Lets all streams of an answer, present and future ones, end with an exchange at the latest. */
export function holdFor(answer: UpstreamResponse, exchange: Receiver): void {
  if (!isHolder(answer)) return holdBody(answer, exchange);
  for (const stream of answer[early] ?? []) hold(stream, exchange);
  answer[early] = undefined;
  answer[receiver] = exchange;
}

/** An answer that a handler has made by hand may have anything as its body. */
function holdBody(answer: UpstreamResponse, exchange: Receiver): void {
  if (!(answer.body instanceof Stream)) return;
  watchGiven(answer.body);
  noteAssignedByCode(answer.body);
  hold(answer.body, exchange);
}

function hold(stream: Readable, exchange: Receiver): void {
  const { context, bodiesWithCode } = exchange;
  if (destroyAtEnd(stream, { context, cancellation: outlast(exchange) })) bodiesWithCode?.given.push(stream);
  breakPipesWithGiven(stream, context.res);
}

function isHolder(answer: UpstreamResponse): answer is UpstreamResponse & StreamHolder {
  return receiver in answer;
}
