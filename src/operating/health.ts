import type { Lifecycle } from "../exchange/lifecycle.ts";
import { type Degraded, listDegraded } from "../observing/degraded.ts";
import type { GatewayCondition, GatewayStatus, Live } from "../compiling/live.ts";

/** How a gateway is doing. */
export type GatewayHealth = Omit<GatewayCondition, "degraded"> &
  Readonly<{
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
export function createCondition(
  live: Readonly<Live>,
  lifecycle: Lifecycle,
  lost: () => readonly string[],
  lostHosts: () => Degraded,
): () => GatewayCondition {
  return function condition() {
    const { present, lastFailure } = live;
    const { named, unnamed } = lostHosts();
    const { requests, sockets } = lifecycle.count();
    return {
      status: live.status(),
      routes: present.routes.size,
      running: requests,
      sockets,
      loadedAt: present.loadedAt,
      lastFailure,
      degraded: { named: [...lost(), ...named], unnamed },
    };
  };
}

/** Makes the function that tells it to users. */
export function createHealth(condition: () => GatewayCondition): () => GatewayHealth {
  return function health() {
    const present = condition();
    return { ...present, degraded: listDegraded(present.degraded) };
  };
}
