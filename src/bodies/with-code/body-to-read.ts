import type { Readable } from "node:stream";
import type { UpstreamResponse } from "../../delegating-handler.ts";
import { GatewayError } from "../../errors.ts";
import { isHadByCode } from "./bodies-with-code.ts";
import { givenTwice, isSpent, noteSpent } from "./gone-body.ts";
import { isStream } from "./is-stream.ts";
import { readBesideCode } from "./read-beside-code.ts";
import { refuseBody } from "./refuse-body.ts";
import { isReadByLoop } from "./silence.ts";
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
  const { [knownLength]: length } = answer;
  if (length === undefined && isReadByOthers(body)) throw readInPart();
  return readBesideCode(body, length);
}

/** Whether somebody who goes on to read a body has had some of it already. */
function isReadByOthers(body: Readable): boolean {
  return body.readableDidRead && (isReadByLoop(body) || body.listenerCount("data") > 0);
}

function readInPart(): GatewayError {
  return new GatewayError(
    "handler-misuse",
    "Some of the body of an answer was read before it was written, and is gone. Listen to it right before the answer is " +
      "returned, or assign what was read: answer.body = text.",
  );
}
