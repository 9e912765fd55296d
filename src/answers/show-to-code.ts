import { failAsUpstreams } from "../bodies/broken-off.ts";
import type { Receiver } from "../bodies/with-code/stream-of-user-code.ts";
import type { UpstreamResponse } from "../delegating-handler.ts";
import { holdFor } from "./end-assigned-streams-with-exchange.ts";
import { type AnyResponse, asStream } from "./upstream-response.ts";

/** Prepares an answer for code that gets it and may read its body, replace it, or throw the answer away. */
export function showToCode(answer: UpstreamResponse, exchange: Receiver): void {
  holdFor(answer, exchange);
  const body = (answer as AnyResponse)[asStream];
  if (body !== undefined) failAsUpstreams(body);
}
