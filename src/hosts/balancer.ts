import type { IncomingHttpHeaders } from "node:http";
import type { Framing } from "../bodies/request-framing.ts";
import type { GatewayContext } from "../delegating-handler.ts";
import type { Host, RouteHost } from "./host.ts";

/** Of a request, what decides which host it gets. */
export type HostSeeker = Readonly<{
  context: GatewayContext;
  framing: Framing;
  /** As they came from the client. */
  given: IncomingHttpHeaders;
}> & {
  /** By what the client is to remember a host that was chosen for it; undefined where it need not be told. */
  hostCookie: Readonly<{ origin: string; value: string }> | undefined;
  /** Whether code has said which one, be it the one that was chosen; undefined where it has not, or nobody wants to know. */
  isHostOfCode: boolean | undefined;
};

/** Chooses one of the hosts that may be asked; there is always at least one. */
export type Balancer = Readonly<{
  choose: (hosts: readonly RouteHost[], seeker: HostSeeker) => RouteHost;
  /** Undoes a choice that was not needed. */
  takeBack?: (host: RouteHost, hosts: readonly RouteHost[], seeker: HostSeeker) => void;
}>;

/** A balancer of the user's: chooses one of the hosts that may be asked, at once; there is always at least one. */
export type OwnBalancer = (hosts: readonly Host[], context: GatewayContext) => Host;
