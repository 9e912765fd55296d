import { keepHead, restoreHead } from "../answers/restore-head.ts";
import { refuseBytes } from "../bodies/refuse-bytes.ts";
import type { GatewayError } from "../errors.ts";
import { nextTurn } from "../unattended/guarded.ts";
import type { Destinations } from "./destinations.ts";
import type { Exchange } from "./exchange.ts";

/**
 * The destinations of a request that came past a lock as a CORS preflight: it has shown no credential, so that middleware
 * behind the lock may answer it without a body, as those for CORS do, and is failed by `refuse` if it writes one.
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
  return { proxy: unlessRefused(proxy), fail: unlessRefused(fail), leave: unlessRefused(leave) };

  function unlessRefused<Parts extends readonly unknown[]>(go: (...parts: Parts) => void): (...parts: Parts) => void {
    return function goUnlessRefused(...parts) {
      if (isRefused) return;
      release();
      go(...parts);
    };
  }

  function failRefused(): void {
    if (isOver) return;
    if (!res.headersSent) restoreHead(res, head);
    fail(refusalBy(refuse));
  }
}

/** The challenges of a refusal come from users' functions, which may fail themselves. */
function refusalBy(refuse: () => GatewayError): unknown {
  try {
    return refuse();
  } catch (error) {
    return error;
  }
}
