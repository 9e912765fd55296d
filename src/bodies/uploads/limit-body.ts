import { Readable, Transform } from "node:stream";
import { RequestError } from "../../errors.ts";
import { ignoreErrors, listen, turnAfterNext } from "../../unattended/guarded.ts";
import { asRefusal } from "./refused-upload.ts";
import type { Framing } from "../request-framing.ts";

/** The refusal of a body that is longer than the route takes. */
export function bodyTooLarge(limit: number): RequestError {
  return new RequestError(
    "body-too-large",
    `The request's body is larger than the ${limit} bytes that are taken here.`,
  );
}

/**
 * Holds a body to the limit. A stream of told length was judged with its head; another one fails when it grows over that.
 * Bytes that are here are measured whatever the head told: parsers have decompressed them, or they were written anew.
 */
export function limitBody<Body extends Readable | Buffer | null>(
  body: Body,
  limit: number,
  { kind }: Framing,
): Body | Readable {
  if (body instanceof Readable) return kind === "length" ? body : limitStream(body, limit);
  if (body !== null && body.length > limit) throw bodyTooLarge(limit);
  return body;
}

const measures = new WeakSet<Readable>();

/** Whether a stream is the gateway's own, which measures a body. */
export function isMeasure(stream: Readable): boolean {
  return measures.has(stream);
}

function limitStream(body: Readable, limit: number): Readable {
  let length = 0;
  const limited = new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      length += chunk.length;
      if (length > limit) onceReadersHaveBegun(() => callback(asRefusal(bodyTooLarge(limit))));
      else callback(null, chunk);
    },
  });
  listen(body, "error", (error: Error) => limited.destroy(error));
  // The body may fail while a handler is busy and before it has a listener: its sender looks for the failure later.
  ignoreErrors(limited);
  measures.add(limited);
  return body.pipe(limited);
}

/**
 * Where a handler has made something of the body, an engine begins to read that in the same turn at the earliest: a generator
 * over `node:readline`, which hands errors on, listens to none before.
 */
function onceReadersHaveBegun(refuse: () => void): void {
  turnAfterNext(refuse);
}
