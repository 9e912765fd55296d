import type { Readable } from "node:stream";
import { GatewayError } from "../../errors.ts";
import { keepWhatIsThere, lacksBytes } from "./lacks-bytes.ts";
import { isReadByLoop } from "./silence.ts";

/** Notes when code looks at the beginning of a body and gives that back. */
export function watchGivenBack(body: Readable): void {
  keepWhatIsThere(body);
  const { unshift } = body as Partial<Readable>;
  // Streams of other libraries need not have it.
  if (unshift === undefined) return;
  Reflect.set(body, "unshift", (...given: unknown[]) => {
    const hasRoom: unknown = Reflect.apply(unshift, body, given);
    keepWhatIsThere(body);
    return hasRoom;
  });
}

/** Whether code that goes on to read the body of an answer has had some of it already: what is left may look whole. */
export function isReadInPart(body: Readable): boolean {
  return (
    lacking.has(body) ||
    (lacksBytes(body) && (isReadByLoop(body) || body.listenerCount("data") > 0 || body.readableFlowing === true))
  );
}

/** Bodies that had lost some when they were held: nobody seems to read them any more. */
const lacking = new WeakSet<Readable>();

/** Notes of a body that is to be held whether some of it is gone. */
export function noteBeforeHold(body: Readable): void {
  if (isReadInPart(body)) lacking.add(body);
}

/** The refusal of what is left of a body. */
export function readInPart(): GatewayError {
  return new GatewayError(
    "handler-misuse",
    "Some of the body of an answer was read before it was written, and is gone. Assign what was read (answer.body = text), or " +
      'read beside by a listener or a pipe (answer.body.on("data", …)) right before the answer is returned, and not by a loop.',
  );
}

/** Whether somebody else has had the bytes; of an empty body there is nothing to have. */
export function isReadToEnd(stream: Readable): boolean {
  return stream.readableEnded && stream.readableDidRead;
}

/** The refusal of a body whose bytes code has had, without putting anything in its place. */
export function readBefore(): Error {
  return new GatewayError(
    "handler-misuse",
    "The body of an answer was read to its end before it was written. Assign what was read: answer.body = text.",
  );
}
