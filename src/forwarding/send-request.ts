import { Readable } from "node:stream";
import type { WritableResponse } from "../answers/upstream-response.ts";
import { startClocks } from "../capabilities/timeouts/call-clocks.ts";
import { refuseTooManyOutgoing } from "../headers/too-many-fields.ts";
import type { Call } from "./call.ts";
import { isFailureOfBody } from "./failure-of-body.ts";
import { followRedirects } from "./follow-redirects.ts";
import { judgeAnswer } from "./refuse-ill-formed-answer.ts";
import { mapFailure } from "./upstream-failure-messages.ts";
import { noteFaultOfHost } from "./fault-of-host.ts";
import type { SendSettings } from "./send-settings.ts";
import { takeShortBody } from "./take-short-body.ts";
import { createConnectionTries } from "./send-to-hosts.ts";

/** Prepares how finished requests are sent: within their time limits, and on along redirects where they are followed. */
export function createSendRequest(settings: SendSettings): (call: Call) => Promise<WritableResponse> {
  const { times, redirects, upgrades = false } = settings;
  const tries = createConnectionTries(settings);

  return async function sendRequest(call) {
    const { req, cancellation, outgoing } = call;
    refuseTooManyOutgoing(outgoing.headers, req);
    const isRepeatable = !(outgoing.body instanceof Readable);
    if (outgoing.body === req) outgoing.body = await takeShortBody(call);
    let expired: Error | undefined;
    const stopClocks = startClocks({ req, body: outgoing.body }, times, (error) => {
      expired = error;
      noteFaultOfHost(call, error);
      cancellation.cancel(error);
    });
    try {
      const answer = redirects
        ? await followRedirects(call, { ...tries, redirects, isRepeatable })
        : await tries.sendAnywhere(call, cancellation);
      const response = judgeAnswer(answer, { method: call.outgoing.method, upgrades });
      call.lease.answered(response.status, call.outgoing.method);
      return response;
    } catch (failure) {
      if (expired !== undefined) throw expired;
      throw noteFaultOfHost(call, isFailureOfBody(failure, call.outgoing) ? failure : mapFailure(failure));
    } finally {
      stopClocks();
    }
  };
}
