import { ownAnswer } from "../answers/own-answer.ts";
import type { UpstreamResponse } from "../delegating-handler.ts";
import type { GatewayOptions } from "../options/options.ts";
import type { Exchange } from "./exchange.ts";

/** Lets the capabilities of a route change an answer, behind all handlers. */
export type ChangeAnswerOf = (answer: UpstreamResponse, exchange: Exchange) => UpstreamResponse;

/**
 * An answer that no handler has seen is this exchange's own anyway, and one that nobody changes may be shared; `isChanged` where
 * somebody changes it later, or reads it, whatever the route says.
 */
export function createChangeAnswer(
  { handlers = [], responder }: GatewayOptions,
  isChanged = responder !== undefined,
): ChangeAnswerOf {
  const hasHandlers = handlers.length > 0;
  return function changeAnswer(answer, exchange) {
    const { answerChanges, handlers: named } = exchange.compiled.pipeline;
    if (answerChanges.length === 0 && !isChanged) return answer;
    const own = hasHandlers || named.length > 0 ? ownAnswer(answer) : answer;
    for (const change of answerChanges) change(own, exchange);
    return own;
  };
}
