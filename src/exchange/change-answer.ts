import type { UpstreamResponse } from "../delegating-handler.ts";
import type { Exchange } from "./exchange.ts";

/** Lets the capabilities of a route change an answer, behind all handlers; it is this exchange's own, whoever has made it. */
export function changeAnswer(answer: UpstreamResponse, exchange: Exchange): void {
  for (const change of exchange.compiled.pipeline.answerChanges) change(answer, exchange);
}
