import type { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Exchange } from "./begin-exchange.ts";
import { GatewayError, UpstreamError } from "./errors.ts";
import type { Logger } from "./logger.ts";
import { answerError } from "./answer-error.ts";

/** The next handler of the app; absent on a plain server. */
export type Next = ((error?: unknown) => void) | undefined;

/** Ends an exchange that failed: an answer while there can still be one, else a connection that is visibly cut. */
export function failExchange(exchange: Exchange, error: unknown, next: Next, logger: Logger): void {
  const { req, res, route } = exchange.context;
  exchange.cancellation.cancel(error instanceof Error ? error : new Error(String(error)));
  if (res.closed || res.destroyed) return;
  logFailure(error, route.id, next === undefined, logger);
  if (res.headersSent) {
    cutConnection(res);
    return;
  }
  if (exchange.framing.kind === "none" || req.complete) {
    answerOrPassOn(error, req, res, next);
    return;
  }
  // A short body that came with the head is complete by then; a connection is only given up for what still comes in.
  setImmediate(() => {
    if (req.complete) answerOrPassOn(error, req, res, next);
    else answerAndClose(error, req, res);
  });
}

function answerOrPassOn(error: unknown, req: IncomingMessage, res: ServerResponse, next: Next): void {
  if (next === undefined) answerError(error, req, res);
  else next(error);
}

/** Node closes the connection behind such an answer, whatever is still being uploaded. */
function answerAndClose(error: unknown, req: IncomingMessage, res: ServerResponse): void {
  if (res.headersSent) return;
  res.setHeader("connection", "close");
  answerError(error, req, res);
}

/** Where only the end of the connection delimits the body, an ordinary end would make half a body look whole. */
export function cutConnection(res: ServerResponse): void {
  const { socket } = res;
  const isDelimitedByClose = res.headersSent && !res.chunkedEncoding && !res.hasHeader("content-length");
  if (isDelimitedByClose && socket !== null && socket.constructor === Socket) socket.resetAndDestroy();
  else res.destroy();
}

function logFailure(error: unknown, route: string, isLastWord: boolean, logger: Logger): void {
  if (error instanceof UpstreamError) {
    logger.warn({ route, code: error.code, status: error.status, err: error.cause ?? error }, error.message);
  } else if (error instanceof GatewayError) {
    logger[error.status >= 500 ? "warn" : "info"]({ route, code: error.code, status: error.status }, error.message);
  } else if (isLastWord) {
    logger.error({ route, err: error }, "A handler failed.");
  }
}
