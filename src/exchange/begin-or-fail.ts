import type { IncomingMessage, ServerResponse } from "node:http";
import { answerOrPassOn, type Next } from "../answers/answer-error.ts";
import type { CompiledRoute } from "../compiling/compile-routes.ts";
import type { Logger } from "../logging/logger.ts";
import type { MatchedRequest } from "../routing/match-request.ts";
import { beginExchange, type Exchange, type ExchangeSurroundings } from "./begin-exchange.ts";
import { toError } from "./end-exchange.ts";

/** Begins the exchange of a matched request; undefined where that failed and has been dealt with. */
export type Begin = (
  found: MatchedRequest<CompiledRoute>,
  req: IncomingMessage,
  res: ServerResponse,
  next: Next,
) => Exchange | undefined;

/**
 * Makes the function that begins exchanges. What stands before the gateway may leave it a request that is frozen, or a
 * response that is answered already, and on a plain server nobody stands above to hear of it.
 */
export function createBegin(isTrusted: ExchangeSurroundings["isTrusted"], logger: Logger): Begin {
  const surroundings = { isTrusted, logger };
  return function begin(found, req, res, next) {
    try {
      return beginExchange(found, req, res, surroundings);
    } catch (error) {
      logger.error({ route: found.match.value.route.id, err: error }, "A request could not begin.");
      answerOrPassOn(toError(error), req, res, next);
      return undefined;
    }
  };
}
