import { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { GatewayError, UpstreamError } from "../errors.ts";

/** Makes the error for a body that fails, or closes before its end, where there is no cause. */
export type ToFailure = (cause: Error | null) => Error;

/** Whose failure it is when a stream breaks off: a message of node:http is an upstream's answer, any other is somebody's own. */
export function failureOfStream(stream: Readable): ToFailure {
  return stream instanceof IncomingMessage ? brokenOff : ownFailure;
}

const failing = new WeakSet<Readable>();

/**
 * Lets an upstream's answer fail, where it breaks off, as what it is: code that reads it, and whatever that makes of it, would
 * fail with an error of node:http, and be blamed.
 */
export function failAsUpstreams(body: Readable): void {
  if (!(body instanceof IncomingMessage) || failing.has(body)) return;
  failing.add(body);
  const destroy = body.destroy.bind(body);
  body.destroy = (error?: Error & { code?: unknown }) =>
    destroy(error?.code === "ECONNRESET" ? brokenOff(error) : error);
}

function ownFailure(cause: Error | null): Error {
  return cause ?? new Error("The body broke off.");
}

/** The error for an upstream's answer that breaks off; a reason that the gateway itself has given stays the reason. */
export function brokenOff(cause: Error | null): GatewayError {
  if (cause instanceof GatewayError) return cause;
  return new UpstreamError("upstream-reset", "The upstream closed the connection in the middle of its answer.", {
    cause,
  });
}
