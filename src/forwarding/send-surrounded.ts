import type { UpstreamResponse } from "../delegating-handler.ts";
import type { RouteHosts } from "../hosts/route-hosts.ts";
import { type Call, leaseUntilEnd } from "./call.ts";
import { type ExchangeOfCode, outlast } from "../bodies/with-code/outlast-exchange.ts";
import { refusalOfMethod } from "./refuse-other-method.ts";
import { surround, type Surrounding } from "./surround.ts";

/** Sends a finished request to the host that was chosen for it. */
export type SendOn<Request> = (call: Call, request: Request) => Promise<UpstreamResponse>;

type Sending<Request> = Readonly<{
  send: (call: Call) => Promise<UpstreamResponse>;
  around: readonly Surrounding<Request>[];
  hosts: Pick<RouteHosts, "at">;
}>;

/** Prepares how finished requests are sent through what stands around the sending; a host that is not asked is given back. */
export function createSendSurrounded<Request extends ExchangeOfCode & Call["asker"]>({
  send,
  around,
  hosts,
}: Sending<Request>): SendOn<Request> {
  return around.length === 0 ? sendFor : sendSurrounded;

  // Every call comes by here, whoever has made of it what it is.
  function sendFor(call: Call, asker: Request): Promise<UpstreamResponse> {
    const refusal = refusalOfMethod(call.outgoing.method, asker);
    if (refusal !== undefined) return Promise.reject(refusal);
    if (asker.refuseOtherMethod !== undefined) asker.hasAskedAsPreflight = true;
    call.observation?.sending(call.outgoing);
    if (call.asker === asker) return send(call);
    const cancellation = outlast(asker);
    // A call that does not end with the request that began it has the host until its own end.
    call.lease.release();
    const lease = leaseUntilEnd(hosts.at(call.lease.origin), cancellation);
    return send({ ...call, cancellation, asker, lease });
  }

  async function sendSurrounded(call: Call, request: Request): Promise<UpstreamResponse> {
    const progress = { isSent: false };
    const sendThrough = surround<Request>(around, (_outgoing, asker) => {
      progress.isSent = true;
      return sendFor(call, asker);
    });
    const answer = await sendThrough(call.outgoing, request);
    if (!progress.isSent) call.lease.giveBack();
    return answer;
  }
}
