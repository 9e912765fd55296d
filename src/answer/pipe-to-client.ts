import { IncomingMessage, type ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { GatewayError } from "../errors.ts";
import { breakOff } from "./break-off.ts";

/** Pipes a body into the client's response; resolves when it is out, rejects when the source breaks off. */
export function pipeToClient(source: Readable, res: ServerResponse): Promise<void> {
  return new Promise((resolve, reject) => {
    if (res.closed) endUnread();
    // It may have broken off while a handler or a responder was busy with something else: then no event comes any more.
    else if (source.destroyed && !source.readableEnded) fail(source.errored);
    else if (source.readableEnded && source.readableDidRead) reject(readBefore());
    else pipe();

    function pipe(): void {
      res.once("close", endUnread);
      source.once("error", fail).once("close", failIfIncomplete);
      source.pipe(res);
      // Node keeps the head back until there is a body: an event stream that is silent at first would seem dead.
      if (source.readableLength === 0 && !source.readableEnded && !isWhole(source)) res.flushHeaders();
    }

    /** Nobody reads on for a client that left: without this, a file or a decompressor behind the source stays open. */
    function endUnread(): void {
      if (!source.readableEnded) source.destroy();
      resolve();
    }

    function failIfIncomplete(): void {
      if (!isWhole(source)) fail(null);
    }

    function fail(cause: Error | null): void {
      reject(source instanceof IncomingMessage ? breakOff(cause) : (cause ?? new Error("The body broke off.")));
    }
  });
}

/** An http message that was cut off ends like any stream, but knows that it is not complete. */
function isWhole(source: Readable): boolean {
  return source instanceof IncomingMessage ? source.complete : source.readableEnded;
}

function readBefore(): Error {
  return new GatewayError(
    "handler-misuse",
    "The body of an answer was read to its end before it was written. Assign what was read: answer.body = text.",
  );
}
