import type { IncomingMessage } from "node:http";
import { attempt } from "../unattended/attempt.ts";
import { errorCodes } from "../errors.ts";
import type { GatewayContext, OutgoingRequest } from "../delegating-handler.ts";
import type { PlaceholderValues } from "../templates/fill-template.ts";
import { watchPieces } from "../unattended/guarded.ts";
import type { ShownIdentity } from "../identity/pseudonym.ts";
import type { Logger } from "../logging/logger.ts";
import type { CacheResult, Observation, ObservedRequest, RequestObserver, RequestRecord } from "./observer.ts";
import { redactAsked, redactMountPath, redactSent } from "../secrets/redact.ts";
import { observePart } from "./observe-part.ts";
import { offerHeaders, type OfferingExchange } from "./offer-headers.ts";

/** What of an exchange observers learn something from. */
type ObservableExchange = OfferingExchange &
  Readonly<{
    context: GatewayContext;
    matched: Readonly<{ values: PlaceholderValues }>;
    mountPath: string;
    mountParams: Readonly<Record<string, unknown>> | undefined;
  }>;

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

/** What is known of a request while it runs. */
type Facts = {
  readonly url: string;
  readonly startedAt: number;
  readonly start: number;
  readonly sentBefore: number;
  readonly received: () => number;
  identity?: ShownIdentity;
  target?: string;
  answeredAfter?: number;
  cache?: CacheResult;
  retries?: number;
  error?: string;
};

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

function createRecord({ context, matched, mountPath, mountParams }: ObservableExchange, facts: Facts): RequestRecord {
  const { req, res, route, requestId } = context;
  const { values } = matched;
  return {
    route,
    requestId,
    identity: facts.identity,
    method: req.method ?? "GET",
    path: redactAsked(facts.url, route.config, values),
    mountPath: mountPath === "" ? mountPath : redactMountPath(mountPath, mountParams ?? {}, route.config),
    target: facts.target === undefined ? undefined : redactSent(facts.target, route.config, values),
    status: res.headersSent ? res.statusCode : statusWithoutAnswer(facts.error),
    startedAt: facts.startedAt,
    duration: performance.now() - facts.start,
    // Of a hit no upstream knows.
    answeredAfter: facts.cache === "hit" ? undefined : facts.answeredAfter,
    received: facts.received(),
    sent: req.socket.bytesWritten - facts.sentBefore,
    cache: facts.cache,
    retries: facts.retries,
    error: facts.error,
  };
}

/** The status of an answer that the client did not get: it tells which side gave up. */
function statusWithoutAnswer(error: string | undefined): number {
  return errorCodes[error === "closing" || error === "request-timeout" ? error : "client-gone"];
}

/** Counts the bytes of a body as they are read. */
function countBody(req: IncomingMessage): () => number {
  let bytes = 0;
  watchPieces(req, (piece) => (bytes += Buffer.byteLength(piece)));
  return () => bytes;
}
