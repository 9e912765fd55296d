import { createStreamBody } from "../bodies/stream-body.ts";
import { type AnyResponse, knownLength, takeBody, takeWhole } from "./upstream-response.ts";

/** Lets go of a body that nobody gets: one that is all there, or empty, is read, and of another one the rest is not waited for. */
export function discardBody(upstream: AnyResponse): void {
  const isRead = upstream[knownLength] === 0 || upstream[takeWhole]?.() !== undefined;
  const body = upstream[takeBody]?.() ?? createStreamBody(upstream.body);
  if (isRead) body.sendTo({ write: () => true, end: ignore, fail: ignore });
  else body.flow.abort(new Error("The client gets no body."));
}

function ignore(): void {
  // The client has its answer.
}
