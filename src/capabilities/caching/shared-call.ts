import { createCancellation, exchangeIsOver } from "../../cancellation.ts";
import { createContext } from "../../exchange/gateway-context.ts";
import type { MatchedExchange } from "../../exchange/matched-exchange.ts";
import type { Logger } from "../../logging/logger.ts";

/** A call that does not end with the client that began it. */
export type SharedCall = Readonly<{
  /** For whom it is made. */
  standIn: MatchedExchange;
  /** Ends what it has begun, unless that is over. */
  end: (reason?: Error) => void;
}>;

/**
 * Makes a stand-in of an exchange: it ends when the call is over, or when its client is gone and `isWanted` tells that
 * nobody else has any use for the answer.
 */
export function createSharedCall(
  exchange: MatchedExchange,
  isWanted: (reason: Error) => boolean,
  logger: Logger,
): SharedCall {
  const cancellation = createCancellation(logger);
  const context = createContext(exchange.context, cancellation);
  const standIn: MatchedExchange = { ...exchange, context, cancellation };
  exchange.cancellation.onCancel((reason) => {
    if (!isWanted(reason)) cancellation.cancel(reason);
  });
  return { standIn, end: (reason = exchangeIsOver) => void cancellation.cancel(reason) };
}
