import { endWhenBodyIsRefused } from "./end-when-body-is-refused.ts";
import { noteAnswer, whileCodeRuns } from "../bodies/with-code/bodies-with-code.ts";
import { createInnerCancellation } from "../cancellation.ts";
import { watchOutgoingBody } from "../bodies/with-code/watch-outgoing-body.ts";
import type { OutgoingRequest, UpstreamResponse } from "../delegating-handler.ts";
import type { HostLease } from "../hosts/lease.ts";
import type { RouteHosts } from "../hosts/route-hosts.ts";
import { type AskingRequest, type Call, leaseUntilEnd, redirect } from "./call.ts";
import { copyOutgoing } from "./copy-outgoing.ts";
import type { ForwardableRequest, ForwardSettings } from "./forward-settings.ts";
import { frameChangedBody } from "./frame-body-of-handler.ts";
import { readChanged } from "./read-changed.ts";
import { refusalOfOwnAnswer } from "./refuse-own-answer.ts";
import { runHandlers } from "./run-handlers.ts";
import type { SendOn } from "./send-surrounded.ts";
import { tellSent } from "./tell-surroundings.ts";
import { watchOrigin } from "./watch-origin.ts";

type HandlerSettings<Request> = Pick<
  ForwardSettings<Request>,
  "handlers" | "hosts" | "compared" | "followsRedirects" | "aroundSending"
> &
  Readonly<{
    /** Whether something stands around the choice of a host: it keeps a request that no handler changes. */
    isSurrounded: boolean;
    sendOn: SendOn<Request>;
  }>;

/** What the calls of handlers for one request have in common. */
type BeforeHandlers = Pick<ForwardableRequest, "framing"> &
  Readonly<{ clientBody: OutgoingRequest["body"] }> & { hasSent: boolean };

/** Prepares how a call goes through the delegating handlers of a route, each of which may change it, send it again, or answer it. */
export function createSendThroughHandlers<Request extends ForwardableRequest>(
  settings: HandlerSettings<Request>,
): SendOn<Request> {
  const { handlers, hosts, compared, isSurrounded, sendOn } = settings;

  return function sendThroughHandlers(call, request) {
    expectHandlers(request, settings);
    const { outgoing, service } = call;
    const { body: clientBody, origin } = outgoing;
    const before = { ...request, path: outgoing.path, service, clientBody, origin, compared, hasSent: false };
    const handed = watchOrigin(watchOutgoingBody(isSurrounded ? copyOutgoing(outgoing) : outgoing, request), request);
    const send = (changed: OutgoingRequest): Promise<UpstreamResponse> =>
      sendChanged(readChanged(changed, before), { given: call, request, before });
    const handled = { outgoing: handed, known: isSurrounded ? outgoing : undefined, request, send };
    const run = (): Promise<UpstreamResponse> =>
      whileCodeRuns(request.bodiesWithCode, () => runHandlers(handlers, handled));
    const answering = endWhenBodyIsRefused({ body: clientBody, cancellation: request.cancellation }, run);
    return request.refuseOtherMethod === undefined ? answering : unlessOwn(answering, request);
  };

  async function sendChanged(
    outgoing: OutgoingRequest,
    { given, request, before }: Readonly<{ given: Call; request: Request; before: BeforeHandlers }>,
  ): Promise<UpstreamResponse> {
    if (isSurrounded) tellSent(given.outgoing, outgoing);
    // What ends this call before its time, as a time-out does, does not end what the handler then goes on with.
    const call = { ...given, outgoing, cancellation: createInnerCancellation(given.cancellation) };
    call.lease = leaseFor(call, before, { origin: outgoing.origin, hosts });
    redirect(call, call.lease.origin);
    frameChangedBody(outgoing, before);
    const answer = await sendOn(call, request);
    noteAnswer(request.bodiesWithCode);
    return answer;
  }
}

/** What stands around the sending may want to know which origins handlers set. */
function expectHandlers(
  request: Call["asker"],
  { followsRedirects, aroundSending }: Readonly<{ followsRedirects: boolean; aroundSending: readonly unknown[] }>,
): void {
  if (followsRedirects) request.wasRedirected = undefined;
  if (aroundSending.length > 0) request.isHostOfCode ??= false;
}

/** The host of a handler's call: the one of the request, unless the handler sends elsewhere, or once more. */
function leaseFor(
  { lease, asker, cancellation }: Call,
  before: BeforeHandlers,
  { origin, hosts }: Readonly<{ origin: string; hosts: RouteHosts }>,
): HostLease {
  const { hasSent } = before;
  before.hasSent = true;
  const isThere = origin === lease.origin;
  if (isThere && !hasSent) return lease;
  if (!hasSent) lease.release();
  return leaseUntilEnd(isThere ? hosts.again(lease, asker) : hosts.at(origin), cancellation);
}

/** Whoever came past a lock as a CORS preflight is given no answer that handlers have made alone. */
async function unlessOwn(answering: Promise<UpstreamResponse>, request: AskingRequest): Promise<UpstreamResponse> {
  const answer = await answering;
  const refusal = refusalOfOwnAnswer(answer, request);
  if (refusal !== undefined) throw refusal;
  return answer;
}
