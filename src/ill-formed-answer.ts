import type { EngineFailure } from "./forwarding/engines/engine.ts";

/** The code of an answer that is not HTTP, or none that is taken. */
export const illFormedCode = "HPE_INVALID_ANSWER";

/** The failure for an ill-formed answer that a parser accepts. */
export function illFormedAnswer(message: string): EngineFailure {
  return Object.assign(new Error(message), { code: illFormedCode });
}
