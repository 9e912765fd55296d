import type { RedirectTerms } from "../capabilities/http-handler/effective-handler.ts";
import { createInnerCancellation, exchangeIsOver } from "../cancellation.ts";
import type { Call } from "./call.ts";
import { drainAnswer } from "./drain-answer.ts";
import type { EngineAnswer } from "./engines/engine.ts";
import { mapFailure } from "./upstream-failure-messages.ts";
import { refusalOfMethod } from "./refuse-other-method.ts";
import { judgeRedirect } from "./judge-redirect.ts";
import type { ConnectionTries } from "./send-to-hosts.ts";

/** How a call is sent at first, and what it leads to; whether its body is still there then. */
type Sending = ConnectionTries & Readonly<{ isRepeatable: boolean; redirects: RedirectTerms }>;

/** Sends a call, and whatever it leads to on the same origin, one behind the other; the call then stands at the last. */
export async function followRedirects(
  call: Call,
  { sendAnywhere, send, isRepeatable, redirects }: Sending,
): Promise<EngineAnswer> {
  const { service, cancellation, observation } = call;
  call.asker.wasRedirected ??= false;
  let scope = createInnerCancellation(cancellation);
  let answer = await sendAnywhere(call, scope);
  for (let count = 0; count < redirects.most; count += 1) {
    const next = judgeRedirect({ outgoing: call.outgoing, service, isRepeatable }, answer);
    if (next === undefined || refusalOfMethod(next.method, call.asker) !== undefined) break;
    await drainAnswer(answer);
    // Its connection is free by now, and may be the one that the next request needs.
    scope.cancel(exchangeIsOver);
    scope = createInnerCancellation(cancellation);
    call.outgoing = next;
    call.asker.wasRedirected = true;
    observation?.sending(next);
    answer = await send(call, scope).catch(failForGood);
  }
  return answer;
}

/** The first request of several has been heard: to begin with it once more would be to send it twice. */
function failForGood(failure: unknown): never {
  throw mapFailure(failure);
}
