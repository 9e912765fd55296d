import { givenTwice, isSpent } from "../bodies/with-code/gone-body.ts";
import { isStream } from "../bodies/with-code/is-stream.ts";
import { isReadInPart, readInPart } from "../bodies/with-code/read-in-part.ts";
import { refuseBody } from "../bodies/with-code/refuse-body.ts";
import { isReadToEnd, readBefore } from "../bodies/stream-body.ts";
import { type AnyResponse, asStream, isTaken } from "./upstream-response.ts";

/** Refuses an answer whose body cannot be written, as long as its head has not left. */
export function requireBody(answer: AnyResponse): void {
  if (answer[isTaken] === undefined && !isStream(answer.body)) throw refuseBody(answer.body);
  if (isGone(answer)) throw givenTwice();
  const body = answer[isTaken] === undefined ? answer.body : answer[asStream];
  if (body === undefined) return;
  if (isReadToEnd(body)) throw readBefore();
  if (isReadInPart(body)) throw readInPart();
}

/** Whether nothing is left of a body that could be thrown away. */
export function isGone(answer: AnyResponse): boolean {
  return answer[isTaken] ?? (!isStream(answer.body) || isSpent(answer.body));
}
