import { Readable } from "node:stream";
import type { AnswerBody } from "../bodies/answer-body.ts";
import { readLength } from "../answers/answer-framing.ts";
import { brokenOff } from "../bodies/broken-off.ts";
import { createStreamBody } from "../bodies/stream-body.ts";
import { createUpstreamResponse, lengthOf, type WritableResponse } from "../answers/upstream-response.ts";
import type { OutgoingRequest } from "../delegating-handler.ts";
import { UpstreamError } from "../errors.ts";
import { findForeignCoding, readAnswerHeaders } from "../headers/answer-headers.ts";
import type { RouteHosts } from "../hosts/route-hosts.ts";
import { startClocks, type TimeLimits } from "../capabilities/timeouts/clocks.ts";
import type { ConnectionSettings } from "../capabilities/tls/connection-settings.ts";
import type { Engine, EngineAnswer, EngineFailure } from "./engines/engine.ts";
import { type Call, moveTo } from "./call.ts";
import { mapFailure } from "./map-failure.ts";
import { takeShortBody } from "./take-short-body.ts";

/** How the requests of a route are sent. */
export type SendSettings = Readonly<{
  engine: Pick<Engine, "forward">;
  connection: ConnectionSettings;
  hosts: RouteHosts;
  times: TimeLimits;
}>;

const idempotentMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"]);

/** Prepares how finished requests are sent: time limits, one silent retry, the next host after a refusal. */
export function createSendRequest(settings: SendSettings): (call: Call) => Promise<WritableResponse> {
  const { engine, connection, hosts, times } = settings;

  return async function sendRequest(given) {
    const { req, cancellation } = given;
    const call = given.outgoing.body === req ? await takeShortBody(given) : given;
    const { outgoing } = call;
    let expired: Error | undefined;
    const stopClocks = startClocks({ req, body: outgoing.body }, times, (error) => {
      expired = error;
      noteFailure(call, error);
      cancellation.cancel(error);
    });
    try {
      const response = toResponse(await attempt(call), outgoing.method);
      call.lease.answered(response.status);
      return response;
    } catch (failure) {
      throw noteFailure(call, expired ?? (isFailureOfBody(failure, outgoing) ? failure : mapFailure(failure)));
    } finally {
      stopClocks();
    }
  };

  async function attempt(call: Call): Promise<EngineAnswer> {
    try {
      return await forward(call);
    } catch (failure) {
      if (isStale(failure, call.outgoing)) return forward(call);
      const next = isRefused(failure, call.outgoing) ? hosts.another(call.lease, call.asker) : undefined;
      if (next === undefined) throw failure;
      call.lease.failed();
      moveTo(call, next);
      call.observation?.sending(call.outgoing);
      return forward(call);
    }
  }

  function forward({ outgoing, cancellation }: Call): Promise<EngineAnswer> {
    return engine.forward(outgoing, { connection, onCancel: cancellation.onCancel });
  }
}

/** What is the upstream's fault counts against the host; after the end of the exchange nothing does. */
function noteFailure({ lease }: Call, error: unknown): unknown {
  if (error instanceof UpstreamError) lease.failed();
  return error;
}

/** A kept connection that the upstream closed as it was used again: the upstream has not seen the request. */
function isStale(failure: unknown, { method, body }: OutgoingRequest): boolean {
  return (failure as EngineFailure).reused === true && body === null && idempotentMethods.has(method);
}

/** A body that a handler gives may fail: that is not the upstream's fault. */
function isFailureOfBody(failure: unknown, { body }: OutgoingRequest): boolean {
  return body instanceof Readable && body.errored === failure;
}

function isRefused(failure: unknown, { body }: OutgoingRequest): boolean {
  const isUnsent = !(body instanceof Readable) || !body.readableDidRead;
  return isUnsent && (failure as EngineFailure).code === "ECONNREFUSED";
}

function toResponse(answer: EngineAnswer, method: string): WritableResponse {
  const { status, statusText, rawHeaders, trailers } = answer;
  const headers = readAnswerHeaders(rawHeaders);
  const declared = { length: readLength(headers["content-length"]), status, isHead: method === "HEAD" };
  const body =
    answer.body instanceof Readable
      ? createStreamBody(answer.body, { toFailure: brokenOff, length: lengthOf(declared) })
      : answer.body;
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
