import type { ServerResponse } from "node:http";
import { keepHead, restoreHead } from "../answers/restore-head.ts";
import { refuseBytes } from "../bodies/refuse-bytes.ts";
import type { GatewayError } from "../errors.ts";
import { nextTurn } from "../unattended/guarded.ts";
import type { Destinations } from "./destinations.ts";
import type { Exchange } from "./exchange.ts";

/** Ends the holds of a response, by which nobody but the gateway may write a body. */
const holds = new WeakMap<ServerResponse, (() => void)[]>();

/**
 * The destinations of a request that came past a lock as a CORS preflight: it has shown no credential, so that user code behind
 * the lock, middleware and handlers, may answer it without a body, as those for CORS do, and is failed by `refuse` if it
 * writes one before the gateway writes its answer.
 */
export function refuseBodies(
  { cancellation, context: { res } }: Exchange,
  { proxy, fail, leave }: Destinations,
  refuse: () => GatewayError,
): Destinations {
  const head = keepHead(res);
  let isRefused = false;
  let isOver = false;
  const release = refuseBytes(res, () => {
    isRefused = true;
    // What middleware sets and writes right behind its first bytes belongs to them.
    nextTurn(failRefused, res);
  });
  // From then on it is an error that is answered.
  cancellation.onCancel(() => {
    isOver = true;
    release();
  });
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

  function failRefused(): void {
    if (isOver) return;
    // What an app writes into a corked response would leave behind its last chunk.
    while (res.writableCorked > 0) res.uncork();
    res.addTrailers({});
    // A head that was made cannot be taken back: what made it, compression for instance, goes by it. The connection is cut.
    if (!res.headersSent) restoreHead(res, head);
    fail(refusalBy(refuse));
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
