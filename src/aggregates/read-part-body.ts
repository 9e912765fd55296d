import type { Readable } from "node:stream";
import { type BodyBound, gatherUpTo } from "../bodies/gather-up-to.ts";
import { mapFailure } from "../forwarding/upstream-failure-messages.ts";
import type { PartCall } from "./part-call.ts";
import { piecesInTime } from "./part-body-in-time.ts";

/** Reads the body of a part's answer; what ends it early, or stops it, is told as for any answer. */
export async function readPartBody(body: Readable, call: PartCall, bound: BodyBound): Promise<Buffer | undefined> {
  try {
    return await gatherUpTo(piecesInTime(body, call), bound);
  } catch (failure) {
    throw mapFailure(failure);
  }
}
