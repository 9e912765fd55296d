import type { Readable } from "node:stream";
import type { UpstreamResponse } from "../../delegating-handler.ts";
import { isHadByCode } from "./bodies-with-code.ts";
import { givenTwice, isSpent, noteSpent } from "./gone-body.ts";
import { isStream } from "./is-stream.ts";
import { readBesideCode } from "./read-beside-code.ts";
import { isReadInPart, readInPart } from "./read-in-part.ts";
import { refuseBody } from "./refuse-body.ts";
import { isReadToEnd, readBefore } from "../stream-body.ts";
import { knownLength, streamForGateway } from "./stream-for-gateway.ts";

/**
 * The body of an answer for whoever reads it here, alone; throws where somebody else has it, or a handler has read it and put
 * nothing in its place.
 */
export function unreadBody(
  answer: Pick<UpstreamResponse, "body"> & { readonly [knownLength]?: number | undefined },
): Readable {
  const body = streamForGateway(answer);
  if (!isStream(body)) throw refuseBody(body);
  if (isSpent(body)) throw givenTwice();
  if (isReadToEnd(body)) throw readBefore();
  noteSpent(body);
  if (!isHadByCode(body)) return body;
  if (isReadInPart(body)) throw readInPart();
  return readBesideCode(body, answer[knownLength]);
}
