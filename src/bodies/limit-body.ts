import { Readable, Transform } from "node:stream";
import { RequestError } from "../errors.ts";
import { ignoreErrors, listen } from "../unattended/guarded.ts";

/** The refusal of a body that is longer than the route takes. */
export function bodyTooLarge(limit: number): RequestError {
  return new RequestError(
    "body-too-large",
    `The request's body is larger than the ${limit} bytes that are taken here.`,
  );
}

/**
 * A body of which its client has not told how long it is, and that must not be longer than the limit: one that is still to
 * come in fails when it grows over that, and one that a parser has read already is refused.
 */
export function limitUntoldBody<Body extends Readable | Buffer | null>(body: Body, limit: number): Body | Readable {
  if (body instanceof Readable) return limitStream(body, limit);
  if (body !== null && body.length > limit) throw bodyTooLarge(limit);
  return body;
}

function limitStream(body: Readable, limit: number): Readable {
  let length = 0;
  const limited = new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      length += chunk.length;
      if (length > limit) callback(bodyTooLarge(limit));
      else callback(null, chunk);
    },
  });
  listen(body, "error", (error: Error) => limited.destroy(error));
  // The body may fail while a handler is busy and before it has a listener: its sender looks for the failure later.
  ignoreErrors(limited);
  return body.pipe(limited);
}
