import type { ServerResponse } from "node:http";
import { cutConnection } from "../answers/cut-connection.ts";
import { refuseBytes } from "../bodies/refuse-bytes.ts";
import type { GatewayError } from "../errors.ts";
import type { Destinations } from "./destinations.ts";
import type { Exchange } from "./exchange.ts";

/** Ends the holds of a response, by which nobody but the gateway may write a body. */
const holds = new WeakMap<ServerResponse, (() => void)[]>();

/**
 * The destinations of a request that came past a lock as a CORS preflight: it has shown no credential, so that user code behind
 * the lock, middleware and handlers, may answer it without a body, as those for CORS do. If it writes one before the gateway
 * writes its answer, the connection is cut: it may write on for as long as it likes, also into what would be answered instead.
 */
export function refuseBodies(
  exchange: Exchange,
  { proxy, fail, leave }: Destinations,
  refuse: () => GatewayError,
): Destinations {
  const { res } = exchange.context;
  let isRefused = false;
  const release = refuseBytes(res, () => {
    isRefused = true;
    exchange.hasBegun = true;
    fail(refusalBy(refuse));
    // A part of an aggregate fails for itself alone.
    if (!res.destroyed) cutConnection(res);
  });
  // From then on it is an error that is answered.
  exchange.cancellation.onCancel(release);
  holds.set(res, [...(holds.get(res) ?? []), release]);
  return {
    proxy() {
      if (!isRefused) proxy();
    },
    fail: unlessRefused(fail),
    leave: unlessRefused(leave),
  };

  function unlessRefused<Parts extends readonly unknown[]>(go: (...parts: Parts) => void): (...parts: Parts) => void {
    return function goUnlessRefused(...parts) {
      if (isRefused) return;
      release();
      go(...parts);
    };
  }
}

/** Lets the gateway itself write a body. */
export function letBodiesPass(res: ServerResponse): void {
  for (const release of holds.get(res) ?? []) release();
}

/** The challenges of a refusal come from users' functions, which may fail themselves. */
function refusalBy(refuse: () => GatewayError): unknown {
  try {
    return refuse();
  } catch (error) {
    return error;
  }
}
