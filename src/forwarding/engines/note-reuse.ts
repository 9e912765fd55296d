import type { OutgoingRequest } from "../../delegating-handler.ts";
import { noteFailure } from "../failure-notes.ts";
import { isFailureOfBody } from "../failure-of-body.ts";

/**
 * Notes that a kept connection has failed before a byte of the answer; false where not the connection has failed, but the
 * body. The reason for which a call was cancelled is no failure, and one for many calls.
 */
export function noteReuse(failure: unknown, outgoing: Readonly<OutgoingRequest>): boolean {
  if (isFailureOfBody(failure, outgoing)) return false;
  noteFailure(failure, { reused: true });
  return true;
}
