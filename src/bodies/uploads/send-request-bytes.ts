import type { Readable } from "node:stream";
import { GatewayError } from "../../errors.ts";
import type { Sink } from "../answer-body.ts";
import { measureSink, type WrongLength } from "../body-of-told-length.ts";
import { isReadToEnd } from "../with-code/read-before.ts";
import { sendStream } from "../stream-body.ts";
import { readByAnother } from "../parsed/body-that-parser-has-read.ts";
import { lacksBytes } from "../with-code/lacks-bytes.ts";

/**
 * Sends the body of a request piece by piece, and as many bytes as its head tells: an upstream would read the rest of a
 * longer one as the next request on the connection, which may be another client's. One in chunks is sent from its
 * beginning, or not at all. The body is not destroyed when it is over early, as the client's connection would go with it.
 */
export function sendBytes(source: Readable, length: number | undefined, sink: Sink): void {
  if (lacksBeginning(source, length)) sink.fail(readByAnother());
  else
    sendStream(
      source,
      length === undefined ? sink : measureSink(sink, { length, stop, toWrong: wrongRequest }),
      toFailure,
    );
}

/** Whether somebody has read what cannot be missed later: of a body of told length, a part is missed as it is measured. */
export function lacksBeginning(source: Readable, length: number | undefined): boolean {
  return length === undefined ? lacksBytes(source) : isReadToEnd(source);
}

function stop(): void {
  // Whoever reads the rest, at the end of the exchange, throws it away.
}

/** The failure of a request whose body is not as long as its head tells. */
export function wrongRequest(how: WrongLength): GatewayError {
  return new GatewayError(
    "handler-misuse",
    `The body of the request is ${how} than its Content-Length: middleware or a handler has read some of it or put something ` +
      "into it. Assign what is to be sent to outgoing.body.",
  );
}

function toFailure(cause: Error | null): Error {
  return cause ?? new Error("The body of the request broke off.");
}
