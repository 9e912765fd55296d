import type { IncomingMessage } from "node:http";
import { callReplica } from "./call-replica.ts";
import { forwardedHeaders, hasForwardedBody } from "./request-headers.ts";
import { receivedAnswer, type ServiceAnswer } from "./service-answer.ts";
import type { Timeouts } from "./timeouts.ts";
import type { Transport, Verdict } from "./transport.ts";
import { isFromMovedReplica, verdictsOnRequest } from "./tried-again.ts";

/** Sends ordinary requests: a body goes out once at most, so nothing is repeated after it has left. */
export function requestTransport(
  request: IncomingMessage,
  timeouts: Timeouts,
  signal: AbortSignal,
): Transport<ServiceAnswer> {
  const { method = "GET" } = request;
  const hasBody = hasForwardedBody(request);
  const verdicts = verdictsOnRequest(hasBody);
  const judge = (answer: ServiceAnswer): Verdict<ServiceAnswer> =>
    isFromMovedReplica(answer, { method, hasBody }) ? "again" : { answer };

  return {
    judge,
    failed: (failure) => verdicts[failure],
    patience: (milliseconds) => milliseconds,
    async send(target, milliseconds) {
      const result = await callReplica(target, {
        method,
        signal,
        headers: forwardedHeaders(request, target),
        connectMilliseconds: Math.min(timeouts.connect * 1000, milliseconds),
        answerMilliseconds: milliseconds,
        sendBody: (outgoing) => (hasBody ? request.pipe(outgoing) : outgoing.end()),
      });
      // The request did not ask this replica to upgrade.
      if (result.kind === "upgrade") result.socket.destroy();
      if (result.kind !== "answer") {
        request.unpipe();
        const failure = result.kind === "upgrade" ? "ill-formed" : result.kind;
        return { result: failure, verdict: verdicts[failure] };
      }
      const answer = receivedAnswer(result.message);
      const verdict = judge(answer);
      if (verdict === "again") result.message.destroy();
      return { result: String(answer.status), verdict };
    },
  };
}
