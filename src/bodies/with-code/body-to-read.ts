import type { Readable } from "node:stream";
import type { UpstreamResponse } from "../../delegating-handler.ts";
import { isHadByCode } from "./bodies-with-code.ts";
import { givenTwice, isSpent, noteSpent } from "./gone-body.ts";
import { isStream } from "./is-stream.ts";
import { readBesideCode } from "./read-beside-code.ts";
import { isReadInPart, isReadToEnd, readBefore, readInPart } from "./read-before.ts";
import { refuseBody } from "./refuse-body.ts";
import { knownLength, streamForGateway } from "./stream-for-gateway.ts";

/**
 * The body of an answer for whoever reads it here, alone; throws where somebody else has it, or a handler has read it and put
 * nothing in its place.
 */
export function unreadBody(
  answer: Pick<UpstreamResponse, "body"> & { readonly [knownLength]?: number | undefined },
): Readable {
  const body: unknown = streamForGateway(answer);
  requireWhole(body);
  noteSpent(body);
  return isHadByCode(body) ? readBesideCode(body, answer[knownLength]) : body;
}

/** Refuses what is no body, or one of which somebody else has, or has had, some. */
export function requireWhole(body: unknown): asserts body is Readable {
  if (!isStream(body)) throw refuseBody(body);
  if (isSpent(body)) throw givenTwice();
  if (isReadToEnd(body)) throw readBefore();
  if (isReadInPart(body)) throw readInPart();
}
