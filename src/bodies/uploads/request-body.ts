import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import type { Headers } from "../../delegating-handler.ts";
import type { Framing } from "../request-framing.ts";
import { toWireBody } from "../parsed/undo-set-encoding.ts";
import { takeReadBody, withLength } from "../parsed/body-that-parser-has-read.ts";

/**
 * Takes the body of a request as it can still be sent: an unread stream as it is, one that a parser has read from what
 * the parser kept. The headers are framed to fit: no body, one length, or chunked.
 */
export function takeBody(req: IncomingMessage, framing: Framing, headers: Headers): Readable | Buffer | null {
  delete headers["content-length"];
  if (framing.kind === "none" || (framing.kind === "length" && framing.length === 0)) return null;
  // A body that flows already is gone before it could be sent.
  if (!req.readableDidRead && req.readableFlowing !== true)
    return toWireBody(framing.kind === "length" ? withLength(req, framing.text, headers) : req);
  return takeReadBody(req, framing, headers);
}

// Methods that may have a body: some servers answer 411 to a request that tells no length (RFC 9110, 8.6).
export const expectsContent: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH", "QUERY", "PROPFIND", "PROPPATCH"]);

/** Declares a length of 0 for a request without a body, where its method makes servers expect one. */
export function declareNoBody(method: string, headers: Headers): void {
  if (expectsContent.has(method)) headers["content-length"] = "0";
}
