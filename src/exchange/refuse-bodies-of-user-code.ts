import { AsyncLocalStorage } from "node:async_hooks";
import type { ServerResponse } from "node:http";
import { cutConnection } from "../answers/cut-connection.ts";
import { leaveToWhoBegins } from "../answers/leave-to-who-begins.ts";
import { refuseBytes } from "../bodies/responses/refuse-bytes.ts";
import type { GatewayError } from "../errors.ts";
import { listenOnce } from "../unattended/guarded.ts";
import type { Destinations } from "./destinations.ts";
import type { Exchange } from "./exchange.ts";

/** Ends the holds of a response, by which nobody but the gateway may write a body. */
type Holds = readonly (() => void)[];
const holds = new WeakMap<ServerResponse, Holds>();

/**
 * The holds that do not bind the present code: the gateway, and the app's error handlers, answer a failure, however late. A
 * hold that comes later, as of a second gateway to which the app hands such a request on, binds them all the same.
 */
const answering = new AsyncLocalStorage<Holds>();
let failuresUnanswered = 0;

/**
 * The destinations of a request that came past a lock as a CORS preflight: it has shown no credential, so that user code behind
 * the lock, middleware and handlers, may answer it without a body, as those for CORS do. If it writes one before the gateway
 * writes its answer, or while the app is about to answer a failure, the connection is cut: it may write on for as long as it
 * likes, also into what would be answered instead.
 */
export function refuseBodies(
  exchange: Exchange,
  { proxy, fail, leave }: Destinations,
  refuse: () => GatewayError,
): Destinations {
  const { res } = exchange.context;
  let isRefused = false;
  const release = refuseBytes(res, { refuse: refuseAll, mayWrite });
  holds.set(res, [...(holds.get(res) ?? []), release]);
  return {
    proxy() {
      if (!isRefused) proxy();
    },
    fail(error) {
      if (!isRefused) fail(error);
    },
    leave() {
      if (isRefused) return;
      release();
      leave();
    },
  };

  function mayWrite(): boolean {
    return answering.getStore()?.includes(release) === true;
  }

  function refuseAll(): void {
    isRefused = true;
    exchange.hasBegun = true;
    fail(refusalBy(refuse));
    // A part of an aggregate fails for itself alone.
    if (!res.destroyed) cutConnection(res);
  }
}

/**
 * Lets whoever is called for that answer a failure with a body, now or later; nobody else may who came past a lock. Others that
 * have the response, as responders do, may at most begin before.
 */
export function letAnswerFailure({ context: { res }, isWithUserCode }: Exchange, answer: () => void): void {
  if (isWithUserCode === true) leaveToApp(res);
  const held = holds.get(res);
  if (held === undefined || res.closed) {
    answer();
    return;
  }
  failuresUnanswered += 1;
  listenOnce(res, "close", endAnswering);
  answering.run(held, answer);
}

function leaveToApp(res: ServerResponse): void {
  const release = leaveToWhoBegins(res, () => answering.getStore()?.includes(release) === true);
  holds.set(res, [...(holds.get(res) ?? []), release]);
}

/** Before Node 24 a storage slows down every promise of the process from its first use on, until it is disabled. */
function endAnswering(): void {
  failuresUnanswered -= 1;
  if (failuresUnanswered === 0) answering.disable();
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
