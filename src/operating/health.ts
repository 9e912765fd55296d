import type { Lifecycle } from "../exchange/lifecycle.ts";
import type { Live, ReloadFailure } from "../compiling/live.ts";

/** How a gateway is doing. */
export type GatewayHealth = Readonly<{
  /** `closing` from the moment it was told to close: no new requests should be sent. */
  status: "ready" | "closing";
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
      status: lifecycle.isClosing() ? "closing" : "ready",
      routes: present.routes.size,
      running: requests,
      sockets,
      loadedAt: present.loadedAt,
      lastFailure,
      degraded: degraded(),
    };
  };
}
