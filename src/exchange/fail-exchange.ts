import { answerOrPassOn, type Next } from "../answers/answer-error.ts";
import { dropFraming, restoreNoteOfBody } from "../answers/answer-framing.ts";
import { cutConnection } from "../answers/cut-connection.ts";
import { restoreHead } from "../answers/restore-head.ts";
import { sealWhenEnded } from "../answers/seal-answer.ts";
import { withTimeoutStatus } from "../capabilities/timeouts/timeout-status.ts";
import { GatewayError, OverloadError, UpstreamError } from "../errors.ts";
import { exchangeIsOver } from "../cancellation.ts";
import { guard, nextTurn } from "../unattended/guarded.ts";
import type { Logger } from "../logging/logger.ts";
import type { Exchange } from "./exchange.ts";
import { refuseUpload } from "./cut-upload-a-second-after-refusal.ts";
import { showTold } from "./headers-on-any-answer.ts";
import { letAnswerFailure } from "./refuse-bodies-of-user-code.ts";

/** Ends an exchange that failed: an answer while there can still be one, else a connection that is visibly cut. */
export function failExchange(exchange: Exchange, reason: unknown, next: Next, logger: Logger): void {
  // Middleware and the proxy may both fail; the first word counts.
  if (exchange.hasFailed) return;
  exchange.hasFailed = true;
  // No code above would catch an error: where the failure cannot be answered either, the connection is cut.
  guard(() => endFailed(exchange, toError(reason), next, logger), exchange.context.res)();
}

function endFailed(exchange: Exchange, error: Error, next: Next, logger: Logger): void {
  const { req, res, route } = exchange.context;
  exchange.cancellation.cancel(error);
  exchange.observation?.failed(error instanceof GatewayError ? error.code : "handler-failed");
  if (res.closed || res.destroyed) {
    // A client that left brings about failures of all kinds; code that fails behind its own answer has a defect.
    if (res.writableFinished && error !== exchangeIsOver) logFailure(error, route.id, true, logger);
    return;
  }
  logFailure(error, route.id, next === undefined || hasBegun(exchange), logger);
  if (hasBegun(exchange)) {
    cutConnection(res);
    return;
  }
  const shown = withTimeoutStatus(error, exchange.compiled.timeoutStatus);
  clearHead(exchange);
  const isSealed = exchange.isWithUserCode === true;
  if (exchange.framing.kind === "none" || req.complete) {
    answerFailure();
    return;
  }
  // A short body that came with the head is complete by then; a connection is only given up for what still comes in.
  nextTurn(() => {
    // The handler that failed may have answered all the same.
    if (hasBegun(exchange)) return;
    if (req.complete) answerFailure();
    else refuseUpload(shown, req, res, isSealed);
  }, res);

  function answerFailure(): void {
    letAnswerFailure(exchange, () => answerOrPassOn(shown, req, res, next));
    if (isSealed) sealWhenEnded(res);
  }
}

/** From then on an answer cannot become another one. */
function hasBegun(exchange: Exchange): boolean {
  return exchange.hasBegun === true || exchange.context.res.headersSent;
}

/** Removes what was set for the answer that the error replaces, but what every answer tells; the code that answers the error frames it. */
function clearHead(exchange: Exchange): void {
  const { context, keptHead, notedBody } = exchange;
  const { res } = context;
  if (keptHead !== undefined) restoreHead(res, keptHead);
  restoreNoteOfBody(res, notedBody);
  dropFraming(res);
  showTold(exchange);
}

/** Express takes `undefined`, "route" and "router" for something else than errors: such a throw would walk on in the app. */
export function toError(reason: unknown): Error {
  if (typeof reason === "object" && reason !== null) return reason as Error;
  return new Error(`A handler failed with ${String(reason)}.`, { cause: reason });
}

function logFailure(error: unknown, route: string, isLastWord: boolean, logger: Logger): void {
  if (error instanceof UpstreamError || (error instanceof OverloadError && error.cause !== undefined)) {
    logger.warn({ route, code: error.code, status: error.status, err: error.cause ?? error }, error.message);
  } else if (error instanceof GatewayError) {
    logger[error.status >= 500 ? "warn" : "info"]({ route, code: error.code, status: error.status }, error.message);
  } else if (isLastWord) {
    logger.error({ route, err: error }, "A handler failed.");
  }
}
