import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { bytesOfUpload } from "../../bytes-of-body.ts";
import { GatewayError, RequestError, UpstreamError } from "../../errors.ts";
import { every, watchPieces } from "../../unattended/guarded.ts";

const looksPerLimit = 4;

/**
 * Watches whether a request's body comes in and goes on; the function that comes back ends that. It looks at the socket
 * rather than at the client's body: a listener for its data would set the body flowing.
 */
export function watchUpload(
  req: IncomingMessage,
  body: Readable,
  { limit, expire }: Readonly<{ limit: number; expire: (error: Error) => void }>,
): () => void {
  let bytesSeen = bytesOfUpload(req);
  let looksWithoutProgress = 0;
  const pieces = countPieces(body, req);
  const timer = every(limit / looksPerLimit, look, req);
  return () => clearInterval(timer);

  function look(): void {
    const bytes = bytesOfUpload(req);
    looksWithoutProgress = bytes === bytesSeen && !pieces() ? looksWithoutProgress + 1 : 0;
    bytesSeen = bytes;
    if (looksWithoutProgress >= looksPerLimit) expire(describeStall(body, req));
  }
}

/**
 * Tells whether a handler's stream has given a piece since the last look; listens only to a stream that is being read.
 */
function countPieces(body: Readable, req: IncomingMessage): () => boolean {
  let hasGiven = false;
  let isWatched = body === req;
  return function hasGivenSince() {
    const given = hasGiven;
    hasGiven = false;
    if (!isWatched && body.readableDidRead) {
      isWatched = true;
      watchPieces(body, () => (hasGiven = true));
    }
    return given;
  };
}

function describeStall(body: Readable, req: IncomingMessage): Error {
  if (isHeldByListener(body)) return heldByListener();
  // Bytes that wait here unread are bytes that the upstream does not take, or a handler's stream that it waits for.
  if (body.readableLength > 0) return upstreamStoppedReading();
  const isWaiting = isRead(req) && req.readableLength > 0;
  if (isWaiting && (body === req || !isAwaited(body))) return upstreamStoppedReading();
  if (!isWaiting && isRead(req) && !req.complete) return uploadStopped();
  return new GatewayError(
    "handler-misuse",
    "The stream that a delegating handler has set as outgoing.body stopped giving data. Let it end or fail.",
  );
}

/** Whether code keeps a body from flowing to whoever sends it: Node waits for that code to call `read()`. */
function isHeldByListener(body: Readable): boolean {
  return body.readableFlowing === false && body.readableLength > 0 && body.listenerCount("readable") > 0;
}

function heldByListener(): GatewayError {
  return new GatewayError(
    "handler-misuse",
    'A listener for "readable" keeps the body of the request from flowing to the upstream. Take it off before the request is ' +
      'sent, or listen to "data".',
  );
}

/** Bytes of a request wait at the gateway. */
export function upstreamStoppedReading(): UpstreamError {
  return new UpstreamError("answer-timeout", "The upstream stopped reading the request.");
}

/** Bytes of a request are waited for. */
export function uploadStopped(): RequestError {
  return new RequestError("upload-stalled", "The request's body stopped coming in.");
}

/** Whether an engine, or code of the app, waits for the next piece of a stream: it pauses one of which it has enough. */
export function isAwaited(body: Readable): boolean {
  return body.readableFlowing === true || body.listenerCount("readable") > 0;
}

/** Whether any code reads the client's body: the engine, or a handler's stream that is made of it. */
function isRead(req: IncomingMessage): boolean {
  return req.readableFlowing !== null || req.listenerCount("readable") > 0;
}
