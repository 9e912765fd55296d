import type { OutgoingRequest } from "../delegating-handler.ts";
import type { Call } from "./call.ts";
import { readByAnother } from "../bodies/parsed/body-that-parser-has-read.ts";

/** The length of the longest body that goes out in one piece with its head. */
export const mostShort = 16_384;

/**
 * The body of a call, where it is the client's: a short one of known length is sent as bytes, if it has come in whole by
 * then, as it does in one packet with its head. A stream and its listeners cost more than the rest of the request.
 */
export async function takeShortBody({ outgoing, req }: Call): Promise<OutgoingRequest["body"]> {
  const length = Number(outgoing.headers["content-length"]);
  if (!(length <= mostShort)) return req;
  // The parser is still at the head: what came in the same packet is here in the next turn of the promises.
  await Promise.resolve();
  if (req.readableFlowing === true) throw readByAnother();
  const isUntouched = req.readableFlowing === null && req.readableEncoding === null;
  if (!isUntouched || req.readableLength !== length) return req;
  const body = req.read() as Buffer;
  // So that the request notices the end of its body.
  req.resume();
  return body;
}
