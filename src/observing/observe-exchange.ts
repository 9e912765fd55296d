import type { IncomingMessage } from "node:http";
import { attempt } from "../unattended/attempt.ts";
import type { OutgoingRequest } from "../delegating-handler.ts";
import { watchPieces } from "../unattended/guarded.ts";
import type { ShownIdentity } from "../identity/pseudonym.ts";
import type { Logger } from "../logging/logger.ts";
import type { Observation, ObservedRequest, RequestObserver } from "./observer.ts";
import { observePart } from "./observe-part.ts";
import { offerHeaders } from "./headers-observers-may-add.ts";
import { createRecord, type Facts, type ObservableExchange } from "./request-record.ts";

const failure = "An observer failed; requests go on.";

/** Begins to watch an exchange for some observers; one that fails in whatever way is logged, and harms nobody. */
export function observeExchange(
  exchange: ObservableExchange,
  observers: readonly RequestObserver[],
  logger: Logger,
): Observation | undefined {
  const { context } = exchange;
  const observed = observers
    .map((observer) => attempt({ logger, failure }, (): unknown => observer.begin(context)))
    .filter(isObserved);
  return observed.length === 0
    ? undefined
    : attempt({ logger, failure }, () => createObservation(exchange, observed, logger));
}

/** JavaScript lets `begin` return anything; `null` is a usual way to say that a request is of no interest. */
function isObserved(request: unknown): request is ObservedRequest {
  return typeof request === "object" && request !== null;
}

function createObservation(
  exchange: ObservableExchange,
  observed: readonly ObservedRequest[],
  logger: Logger,
): Observation {
  const facts = beginFacts(exchange.context.req);
  const senders = observed.filter(
    (request) => attempt({ logger, failure }, () => typeof request.sending === "function") === true,
  );
  let isOver = false;

  function tryTo(run: () => void): void {
    attempt({ logger, failure }, run);
  }

  function tell(offered: OutgoingRequest): void {
    for (const request of senders) tryTo(() => request.sending?.(offered));
  }

  return {
    sending(outgoing: OutgoingRequest) {
      if (senders.length > 0) offerHeaders(outgoing, exchange, { tell, tryTo });
      facts.target = outgoing.origin + outgoing.path;
    },
    retried: () => void (facts.retries = (facts.retries ?? 0) + 1),
    recognised,
    cached: (result) => void (facts.cache = result),
    answered: () => void (facts.answeredAfter = performance.now() - facts.start),
    failed(code) {
      facts.error ??= code;
    },
    left() {
      isOver = true;
      for (const request of observed) tryTo(() => request.left?.());
    },
    ended() {
      if (isOver) return;
      isOver = true;
      // Middleware may have set placeholders that throw when they are read, and no code above would catch that.
      const record = attempt({ logger, failure }, () => createRecord(exchange, facts));
      if (record === undefined) return;
      for (const request of observed) tryTo(() => request.ended(record));
    },
    part: (call) => observePart({ part: call, whole: exchange }, { observed, recognised, logger }),
  };

  /** An aggregate's client is who the first of its parts has recognised. */
  function recognised(identity: ShownIdentity): void {
    facts.identity ??= identity;
  }
}

function beginFacts(req: IncomingMessage): Facts {
  return {
    // Middleware may rewrite the URL later, which changes nothing of what is forwarded.
    url: req.url ?? "/",
    startedAt: Date.now(),
    start: performance.now(),
    sentBefore: req.socket.bytesWritten,
    received: countBody(req),
  };
}

/** Counts the bytes of a body as they are read. */
function countBody(req: IncomingMessage): () => number {
  let bytes = 0;
  watchPieces(req, (piece) => (bytes += Buffer.byteLength(piece)));
  return () => bytes;
}
