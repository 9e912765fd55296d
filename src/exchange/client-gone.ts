import type { IncomingMessage } from "node:http";
import { RequestError } from "../errors.ts";
import type { Logger } from "../logging/logger.ts";
import type { Exchange } from "./exchange.ts";

/** Ends an exchange whose client has left, or was cut off by the server, before it had its answer. */
export function noteClientGone(
  { cancellation, compiled: { route }, context, observation }: Exchange,
  logger: Logger,
): void {
  const error = isCutByServer(context.req) ? requestTimeout() : clientGone();
  if (!cancellation.cancel(error)) return;
  observation?.failed(error.code);
  logger.info({ route: route.id, code: error.code, status: error.status }, error.message);
}

/**
 * What a request is refused for whose client has reset its connection already: nobody knows its address any more, by which
 * limits and services go. At a Unix socket neither end has one.
 */
export function judgePresence({ socket }: IncomingMessage): RequestError | undefined {
  return socket.remoteAddress === undefined && socket.localAddress !== undefined ? clientGone() : undefined;
}

function clientGone(): RequestError {
  return new RequestError("client-gone", "The client went away before the answer was complete.");
}

function requestTimeout(): RequestError {
  return new RequestError("request-timeout", "The server cut the request off: its requestTimeout was over.");
}

function isCutByServer({ socket: { errored } }: IncomingMessage): boolean {
  return errored !== null && "code" in errored && errored.code === "ERR_HTTP_REQUEST_TIMEOUT";
}
