import type { ForwardableRequest } from "../forwarding/forward.ts";
import type { RouteHost } from "./host.ts";

/** Of a request, what decides which host it gets. */
export type HostSeeker = Pick<ForwardableRequest, "context" | "framing" | "given" | "hostCookie">;

/** Chooses one of the hosts that may be asked; there is always at least one. */
export type Balancer = Readonly<{
  choose: (hosts: readonly RouteHost[], seeker: HostSeeker) => RouteHost;
  /** Undoes a choice that was not needed. */
  takeBack?: (host: RouteHost, hosts: readonly RouteHost[], seeker: HostSeeker) => void;
}>;
