import type { IncomingMessage, ServerResponse } from "node:http";
import { answerOrPassOn, type Next } from "../answers/answer-error.ts";
import { RequestError } from "../errors.ts";
import type { Logger } from "../logging/logger.ts";

/**
 * Whether a request came over HTTP/2: `node:http2` imitates a request of `node:http`, but not all of it. The version alone
 * does not tell, as anybody may write "HTTP/2.0" into a request line of HTTP/1.1, and Node takes it.
 */
export function isHttp2(req: IncomingMessage & { stream?: unknown }): boolean {
  return req.httpVersionMajor > 1 && req.stream !== undefined;
}

/** Refuses a matched request of `node:http2`, whose headers cannot be replaced and whose connection is not its own. */
export function refuseHttp2(req: IncomingMessage, res: ServerResponse, next: Next, logger: Logger): void {
  const error = new RequestError("http2-unsupported", "HTTP/2 is not supported here: ask by HTTP/1.1.");
  logger.warn({ code: error.code, status: error.status }, error.message);
  answerOrPassOn(error, req, res, next);
}
