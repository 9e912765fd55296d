import { Readable } from "node:stream";
import type { Receiver } from "../bodies/with-code/stream-of-user-code.ts";
import { showToCode } from "../answers/show-to-code.ts";
import { isAnswer, noAnswer } from "../answers/is-answer.ts";
import { ownAnswer } from "../answers/own-answer.ts";
import { GatewayError } from "../errors.ts";
import { bodyToSend, watchOutgoingBody } from "../bodies/with-code/watch-outgoing-body.ts";
import { copyOutgoing } from "./copy-outgoing.ts";
import { failureForOwn } from "./failure-for-own.ts";
import { tellHeaders } from "./tell-surroundings.ts";
import { type OriginWatch, watchOrigin } from "./watch-origin.ts";
import type { DelegatingHandler, GatewayContext, OutgoingRequest, UpstreamResponse } from "../delegating-handler.ts";

/** What handlers are called for, and what stands behind the last one. */
type HandledCall = Readonly<{
  outgoing: OutgoingRequest;
  /** The request as what stands around the choice of a host knows it; only where something does. */
  known: OutgoingRequest | undefined;
  request: Receiver & Readonly<{ context: GatewayContext }> & OriginWatch;
  send: (outgoing: OutgoingRequest) => Promise<UpstreamResponse>;
}>;

const ignore = (): void => undefined;

/** Hands a call through the delegating handlers, outermost first. */
export function runHandlers(
  handlers: readonly DelegatingHandler[],
  { outgoing: outermost, known, request, send }: HandledCall,
): Promise<UpstreamResponse> {
  return runFrom(0, outermost);

  async function runFrom(index: number, outgoing: OutgoingRequest): Promise<UpstreamResponse> {
    const handler = handlers[index];
    try {
      const answer = await (handler === undefined ? send(outgoing) : run(handler, index, outgoing));
      showToCode(answer, request);
      return answer;
    } catch (failure) {
      throw failureForOwn(failure, request.cancellation);
    }
  }

  async function run(handler: DelegatingHandler, index: number, given: OutgoingRequest): Promise<UpstreamResponse> {
    // The outer handler may change its own while this one waits, for another call, or give one to several clients.
    const outgoing = index === 0 ? given : watchOrigin(watchOutgoingBody(copyOutgoing(given), request), request);
    let calls = 0;
    const answer = await handler(outgoing, next, request.context);
    if (!isAnswer(answer)) throw noAnswer(describeHandler(handler.name, request), answer, giveBack);
    if (known !== undefined) tellHeaders(known, outgoing);
    // A handler may keep what it gives, and give it to other clients, too: what becomes of it is this one's.
    return ownAnswer(answer);

    function next(): Promise<UpstreamResponse> {
      const answer = callNext();
      // A handler that does not wait for an answer must not turn its failure into an unhandled rejection.
      answer.catch(ignore);
      return answer;
    }

    async function callNext(): Promise<UpstreamResponse> {
      calls += 1;
      if (calls > 1 && bodyToSend(outgoing) instanceof Readable)
        throw calledTwice(describeHandler(handler.name, request));
      return runFrom(index + 1, outgoing);
    }
  }
}

const giveBack = "return what next() gives, or createAnswer({ status: 200, body: … }).";

/** A function that is written where handlers are listed has no name. */
function describeHandler(name: string, { context: { route } }: Pick<HandledCall["request"], "context">): string {
  const handler = name === "" ? "A delegating handler" : `The delegating handler ${JSON.stringify(name)}`;
  return `${handler} of route ${JSON.stringify(route.id)}`;
}

function calledTwice(handler: string): GatewayError {
  return new GatewayError(
    "handler-misuse",
    `${handler} called next() a second time with a streamed body, which is gone after the first call. ` +
      "Read it into a Buffer (outgoing.body) before the first call.",
  );
}
