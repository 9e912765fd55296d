import type { IncomingMessage } from "node:http";
import { EventEmitter } from "node:events";
import { errorCodes } from "../errors.ts";
import type { OutgoingRequest } from "../exchange.ts";
import type { Logger } from "../logger.ts";
import type { Observation, ObservedRequest, RequestObserver, RequestRecord } from "../observer.ts";
import { redactUrl, secretValuesOf } from "../secrets/redact.ts";
import type { Exchange } from "./begin-exchange.ts";

/** Begins to watch an exchange for some observers; one that throws is logged, and harms nobody. */
export function observeExchange(
  exchange: Exchange,
  observers: readonly RequestObserver[],
  logger: Logger,
): Observation | undefined {
  const { context } = exchange;
  const observed = observers
    .map((observer) => attempt(logger, () => observer.begin(context)))
    .filter((request): request is ObservedRequest => request !== undefined);
  return observed.length === 0 ? undefined : createObservation(exchange, observed, logger);
}

/** What is known of a request while it runs. */
type Facts = {
  readonly url: string;
  readonly startedAt: number;
  readonly start: number;
  readonly sentBefore: number;
  readonly received: () => number;
  target?: string;
  answeredAfter?: number;
  error?: string;
};

function createObservation(exchange: Exchange, observed: readonly ObservedRequest[], logger: Logger): Observation {
  const { req } = exchange.context;
  const facts: Facts = {
    // What is rewritten later changes nothing of what is forwarded.
    url: req.url ?? "/",
    startedAt: Date.now(),
    start: performance.now(),
    sentBefore: req.socket.bytesWritten,
    received: countBody(req),
  };
  let isOver = false;

  return {
    sending(outgoing: OutgoingRequest) {
      for (const { sending } of observed) attempt(logger, () => sending?.(outgoing));
      facts.target = outgoing.origin + outgoing.path;
    },
    answered() {
      facts.answeredAfter = performance.now() - facts.start;
    },
    failed(code) {
      facts.error ??= code;
    },
    left() {
      isOver = true;
      for (const request of observed) attempt(logger, () => request.left?.());
    },
    ended() {
      if (isOver) return;
      isOver = true;
      const record = createRecord(exchange, facts);
      for (const request of observed) attempt(logger, () => request.ended(record));
    },
  };
}

function createRecord({ context, matched, mountPath }: Exchange, facts: Facts): RequestRecord {
  const { req, res, route, requestId, placeholders } = context;
  // Middleware may have changed them: the client's own values are as secret.
  const secretValues = [...secretValuesOf(matched.values.captured), ...secretValuesOf(placeholders)];
  const redact = (text: string): string => redactUrl(text, route, secretValues);
  return {
    route,
    requestId,
    method: req.method ?? "GET",
    path: redact(facts.url),
    mountPath,
    target: facts.target === undefined ? undefined : redact(facts.target),
    status: res.headersSent ? res.statusCode : statusWithoutAnswer(facts.error),
    startedAt: facts.startedAt,
    duration: performance.now() - facts.start,
    answeredAfter: facts.answeredAfter,
    received: facts.received(),
    sent: req.socket.bytesWritten - facts.sentBefore,
    error: facts.error,
  };
}

/** Nobody got it: it says who gave up. */
function statusWithoutAnswer(error: string | undefined): number {
  return error === "closing" ? errorCodes.closing : errorCodes["client-gone"];
}

/** Counts the bytes of a body as somebody reads them: a listener added the usual way would set the body flowing. */
function countBody(req: IncomingMessage): () => number {
  let bytes = 0;
  EventEmitter.prototype.on.call(req, "data", (chunk: Buffer | string) => {
    bytes += Buffer.byteLength(chunk);
  });
  return () => bytes;
}

function attempt<Result>(logger: Logger, run: () => Result): Result | undefined {
  try {
    return run();
  } catch (error) {
    logger.error({ err: error }, "An observer failed; requests go on.");
    return undefined;
  }
}
