import type { IncomingMessage } from "node:http";
import type { Cancellation } from "../cancellation.ts";
import type { OutgoingRequest } from "../delegating-handler.ts";
import type { GatewayError } from "../errors.ts";
import type { HostSeeker } from "../hosts/balancer.ts";
import type { HostLease } from "../hosts/lease.ts";
import { hostOf } from "../hosts/host-origin.ts";
import type { ServiceGuard } from "../capabilities/naming-service/guard-service-name.ts";

/** Hears of each request that is ready to be sent. */
export type SendingWatch = Readonly<{
  sending: (outgoing: OutgoingRequest) => void;
  /** The request is about to be sent once more. */
  retried: () => void;
}>;

/** What ends what a call opens, at the latest. */
export type Scope = Pick<Cancellation, "onCancel">;

/** One call to the upstream: what is sent, for whom, and how it ends early. */
export type Call = Readonly<{
  req: IncomingMessage;
  cancellation: Cancellation;
  observation: SendingWatch | undefined;
  /** What its target must keep; only where it goes to the naming service. */
  service: ServiceGuard | undefined;
}> & {
  outgoing: OutgoingRequest;
  /** The origin that the `Host` header names, unless middleware or a handler has set another one. */
  addressed: string;
  /** The host that the request has now. */
  lease: HostLease;
  /** For whom a host is chosen, and where it is noted which origin is asked. */
  asker: AskingRequest & HostSeeker;
  /** The last wait for a connection, by the clock of `performance`; only where connections are limited. */
  line?: Readonly<{ since: number; until: number }>;
  /** Whether the connection stands over which a WebSocket is asked for. */
  handshakeStands?: boolean;
};

/** A request that knows which origin is asked in the end, once there is one. */
export type AskingRequest = {
  askedOrigin: string | undefined;
  hostCookie: HostSeeker["hostCookie"];
  /**
   * Whether the answer is what redirects have led to, of whose heads it tells nothing; undefined where handlers may give what
   * they have led to for another request.
   */
  wasRedirected: boolean | undefined;
  /** Only of a CORS preflight that came past a lock: what refuses it where it would go upstream as anything else. */
  refuseOtherMethod?: () => GatewayError;
  /** Only of such a preflight: that it has gone upstream as what it is. */
  hasAskedAsPreflight?: true;
};

/** Lets a host be had until whatever has it is over; gives the lease back. */
export function leaseUntilEnd(lease: HostLease, { onCancel }: Pick<Cancellation, "onCancel">): HostLease {
  onCancel(() => lease.release());
  return lease;
}

/** Gives a call another host: what runs to the one before is over. */
export function moveTo(call: Call, lease: HostLease): void {
  call.lease.release();
  call.lease = leaseUntilEnd(lease, call.cancellation);
  redirect(call, lease.origin);
}

/** Points a call at another host, its `Host` header with it unless middleware or a handler has set another one. */
export function redirect(call: Call, origin: string): void {
  const { outgoing, addressed } = call;
  if (outgoing.headers.host === hostOf(addressed)) outgoing.headers.host = hostOf(origin);
  outgoing.origin = origin;
  call.addressed = origin;
  call.asker.askedOrigin = origin;
}
