import type { Lifecycle } from "../exchange/lifecycle.ts";
import type { GatewayStatus, Live, ReloadFailure } from "../compiling/live.ts";

/** How a gateway is doing. */
export type GatewayHealth = Readonly<{
  /**
   * `starting` until it is known where the services run that the configuration names, for at most 5 seconds; `closing` from
   * the moment it was told to close: no new requests should be sent.
   */
  status: GatewayStatus;
  /** How many routes there are. */
  routes: number;
  /** Requests under way. */
  running: number;
  /** Open WebSockets. */
  sockets: number;
  /** When the present configuration came into force. */
  loadedAt: Date;
  /** Why the latest reload failed; undefined when it did not. */
  lastFailure: ReloadFailure | undefined;
  /** What the gateway does without at the moment, such as `store` or `registry Consul`; empty when all is well. */
  degraded: readonly string[];
}>;

/** Makes the function that tells whether new requests should be sent to a gateway. */
export function createStatus({ isClosing }: Lifecycle, isStarting: () => boolean): () => GatewayStatus {
  return function status() {
    if (isClosing()) return "closing";
    return isStarting() ? "starting" : "ready";
  };
}

/** Makes the function that tells how a gateway is doing. */
export function createHealth(
  live: Readonly<Live>,
  lifecycle: Lifecycle,
  degraded: () => readonly string[],
): () => GatewayHealth {
  return function health() {
    const { present, lastFailure } = live;
    const { requests, sockets } = lifecycle.count();
    return {
      status: live.status(),
      routes: present.routes.size,
      running: requests,
      sockets,
      loadedAt: present.loadedAt,
      lastFailure,
      degraded: degraded(),
    };
  };
}
