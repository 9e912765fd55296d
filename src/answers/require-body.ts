import { givenTwice, isSpent } from "../bodies/with-code/gone-body.ts";
import { isStream } from "../bodies/with-code/is-stream.ts";
import { requireWhole } from "../bodies/with-code/body-to-read.ts";
import { type AnyResponse, asStream, isTaken } from "./upstream-response.ts";

/** Refuses an answer whose body cannot be written, as long as its head has not left. */
export function requireBody(answer: AnyResponse): void {
  const { [isTaken]: isOver } = answer;
  if (isOver === true) throw givenTwice();
  const body: unknown = isOver === undefined ? answer.body : answer[asStream];
  // What nobody has asked for as a stream is whole.
  if (isOver === undefined || body !== undefined) requireWhole(body);
}

/** Whether nothing is left of a body that could be thrown away. */
export function isGone(answer: AnyResponse): boolean {
  return answer[isTaken] ?? (!isStream(answer.body) || isSpent(answer.body));
}
