import { Readable } from "node:stream";
import type { AnswerBody } from "../bodies/answer-body.ts";
import { readLength } from "../answers/answer-framing.ts";
import { brokenOff } from "../bodies/broken-off.ts";
import { createStreamBody } from "../bodies/stream-body.ts";
import { createUpstreamResponse, lengthOf, type WritableResponse } from "../answers/upstream-response.ts";
import type { OutgoingRequest } from "../delegating-handler.ts";
import { findForeignCoding, readAnswerHeaders } from "../headers/answer-headers.ts";
import { startClocks } from "../capabilities/timeouts/call-clocks.ts";
import type { EngineAnswer } from "./engines/engine.ts";
import type { Call } from "./call.ts";
import { followRedirects } from "./follow-redirects.ts";
import { mapFailure } from "./map-failure.ts";
import { noteFailure } from "./fault-of-host.ts";
import type { SendSettings } from "./send-settings.ts";
import { takeShortBody } from "./take-short-body.ts";
import { createConnectionTries } from "./try-connections.ts";

/** Prepares how finished requests are sent: within their time limits, and on along redirects where they are followed. */
export function createSendRequest(settings: SendSettings): (call: Call) => Promise<WritableResponse> {
  const { times, followsRedirects, upgrades = false } = settings;
  const tries = createConnectionTries(settings);

  return async function sendRequest(call) {
    const { req, cancellation, outgoing } = call;
    const isRepeatable = !(outgoing.body instanceof Readable);
    if (outgoing.body === req) outgoing.body = await takeShortBody(call);
    let expired: Error | undefined;
    const stopClocks = startClocks({ req, body: outgoing.body }, times, (error) => {
      expired = error;
      noteFailure(call, error);
      cancellation.cancel(error);
    });
    try {
      const answer = followsRedirects
        ? await followRedirects(call, { ...tries, isRepeatable })
        : await tries.sendAnywhere(call, cancellation);
      const response = toResponse(answer, { method: call.outgoing.method, upgrades });
      call.lease.answered(response.status);
      return response;
    } catch (failure) {
      if (expired !== undefined) throw expired;
      throw noteFailure(call, isFailureOfBody(failure, call.outgoing) ? failure : mapFailure(failure));
    } finally {
      stopClocks();
    }
  };
}

/** A body that a handler gives may fail: that is not the upstream's fault. */
function isFailureOfBody(failure: unknown, { body }: OutgoingRequest): boolean {
  return body instanceof Readable && body.errored === failure;
}

const switchingProtocols = 101;
// Those below are of no answer, or of one that another has to follow.
const leastStatus = 200;

type Asked = Readonly<{ method: string; upgrades: boolean }>;

function toResponse(answer: EngineAnswer, { method, upgrades }: Asked): WritableResponse {
  const { status, statusText, rawHeaders, trailers } = answer;
  const headers = readAnswerHeaders(rawHeaders);
  const declared = { length: readLength(headers["content-length"]), status, isHead: method === "HEAD" };
  const body =
    answer.body instanceof Readable
      ? createStreamBody(answer.body, { toFailure: brokenOff, length: lengthOf(declared) })
      : answer.body;
  // Node's parser takes any three digits, and 101 where nobody has asked for an upgrade.
  if (status < leastStatus && !(upgrades && status === switchingProtocols))
    throw refuse(body, `The answer's status is ${status}.`);
  const coding = findForeignCoding(rawHeaders);
  if (coding !== undefined) throw refuse(body, `The answer's Transfer-Encoding is ${JSON.stringify(coding)}.`);
  return createUpstreamResponse({ status, statusText, headers }, { body, declared, trailers });
}

/** An answer that is not taken ends together with its connection. */
function refuse({ flow }: AnswerBody, message: string): Error {
  const reason = Object.assign(new Error(message), { code: "HPE_INVALID_ANSWER" });
  flow.abort(reason);
  return reason;
}
