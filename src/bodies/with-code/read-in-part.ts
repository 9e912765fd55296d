import type { Readable } from "node:stream";
import { GatewayError } from "../../errors.ts";
import { isReadByLoop } from "./silence.ts";

/** Bodies into which code has put something back that it had read. */
const givenBack = new WeakSet<Readable>();

/** Notes when code looks at the beginning of a body and gives that back. */
export function watchGivenBack(body: Readable): void {
  const { unshift } = body as Partial<Readable>;
  // Streams of other libraries need not have it.
  if (unshift === undefined) return;
  Reflect.set(body, "unshift", (...given: unknown[]) => {
    givenBack.add(body);
    Reflect.apply(unshift, body, given);
  });
}

/** Whether code that goes on to read the body of an answer has had some of it already: what is left may look whole. */
export function isReadInPart(body: Readable): boolean {
  return body.readableDidRead && !givenBack.has(body) && (isReadByLoop(body) || body.listenerCount("data") > 0);
}

/** The refusal of what is left of a body. */
export function readInPart(): GatewayError {
  return new GatewayError(
    "handler-misuse",
    "Some of the body of an answer was read before it was written, and is gone. Assign what was read (answer.body = text), or " +
      'read beside by a listener or a pipe (answer.body.on("data", …)) right before the answer is returned, and not by a loop.',
  );
}
