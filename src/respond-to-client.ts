import { createAcceptUpgrade, isAccepted } from "./accept-upgrade.ts";
import type { Exchange } from "./begin-exchange.ts";
import type { UpstreamResponse } from "./exchange.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { GatewayOptions } from "./options.ts";
import { passThrough } from "./respond/pass-through.ts";

/** Brings an answer to the client; `leave` ends the exchange where a WebSocket goes on. */
export type Respond = (upstream: UpstreamResponse, exchange: Exchange, leave: () => void) => void | Promise<void>;

/** Prepares how answers are written: as a WebSocket, handed to the user's responder, or passed through. */
export function createRespond({ responder, via = false }: GatewayOptions, lifecycle: Lifecycle): Respond {
  const acceptUpgrade = createAcceptUpgrade(lifecycle, via);

  return function respond(upstream, exchange, leave) {
    // It has no body that a responder could do anything with.
    if (isAccepted(upstream, exchange)) return acceptUpgrade(upstream, exchange, leave);
    if (responder === undefined) return write(upstream, exchange);
    return responder(upstream, exchange.context, () => write(upstream, exchange));
  };

  function write(upstream: UpstreamResponse, { context: { res }, wantsTrailers }: Exchange): Promise<void> {
    return passThrough(upstream, { res, wantsTrailers, via });
  }
}
