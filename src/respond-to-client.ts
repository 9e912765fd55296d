import type { Exchange } from "./begin-exchange.ts";
import type { UpstreamResponse } from "./exchange.ts";
import type { GatewayOptions } from "./options.ts";
import { passThrough } from "./respond/pass-through.ts";

/** Brings an answer to the client. */
export type Respond = (upstream: UpstreamResponse, exchange: Exchange) => void | Promise<void>;

/** Prepares how answers are written: passed through, or handed to the user's responder. */
export function createRespond({ responder, via = false }: GatewayOptions): Respond {
  if (responder === undefined) return write;
  return function respondByResponder(upstream, exchange) {
    return responder(upstream, exchange.context, () => write(upstream, exchange));
  };

  function write(upstream: UpstreamResponse, { context: { res }, wantsTrailers }: Exchange): Promise<void> {
    return passThrough(upstream, { res, wantsTrailers, via });
  }
}
