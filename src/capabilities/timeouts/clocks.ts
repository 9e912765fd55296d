import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { GatewayError, RequestError, UpstreamError } from "../../errors.ts";
import { every, listenOnce, watchPieces } from "../../unattended/guarded.ts";
import type { OutgoingRequest } from "../../delegating-handler.ts";
import type { BeginWait } from "./deadlines.ts";

/** What a request may take, by phase: the wait for an answer, and milliseconds of a stalled upload. */
export type TimeLimits = Readonly<{ answer: BeginWait; upload: number }>;

/** What is sent: the client's body, one that a delegating handler gives, or one that is complete. */
export type Sent = Readonly<{ req: IncomingMessage; body: OutgoingRequest["body"] }>;

type Expire = (error: Error) => void;

/** Starts the time limits of one call: while the body is sent, its stalls; after the last byte, the wait for an answer. */
export function startClocks({ req, body }: Sent, limits: TimeLimits, expire: Expire): () => void {
  if (!(body instanceof Readable) || isComplete(body, req)) return startAnswerClock(limits.answer, expire);
  let stopAnswer: (() => void) | undefined;
  const stopUpload = startUploadClock(req, body, { limit: limits.upload, expire });
  const starting = listenOnce(body, "end", startAnswer);
  return function stopClocks() {
    body.off("end", starting);
    stopUpload();
    stopAnswer?.();
  };

  function startAnswer(): void {
    stopUpload();
    stopAnswer = startAnswerClock(limits.answer, expire);
  }
}

/** The client's body is complete once all of it has come in. */
function isComplete(body: Readable, req: IncomingMessage): boolean {
  return body === req ? req.complete : body.readableEnded;
}

function startAnswerClock(beginWait: BeginWait, expire: Expire): () => void {
  return beginWait(() => expire(new UpstreamError("answer-timeout", "The upstream did not answer in time.")));
}

const looksPerLimit = 4;

/** Looks at the socket rather than at the client's body: a listener for its data would set the body flowing. */
function startUploadClock(
  req: IncomingMessage,
  body: Readable,
  { limit, expire }: Readonly<{ limit: number; expire: Expire }>,
): () => void {
  let bytesSeen = req.socket.bytesRead;
  let looksWithoutProgress = 0;
  const pieces = countPieces(body, req);
  const timer = every(limit / looksPerLimit, look, req);
  return () => clearInterval(timer);

  function look(): void {
    const { bytesRead } = req.socket;
    looksWithoutProgress = bytesRead === bytesSeen && !pieces() ? looksWithoutProgress + 1 : 0;
    bytesSeen = bytesRead;
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
  // Bytes that wait here unread are bytes that the upstream does not take.
  if (body.readableLength > 0 || (isRead(req) && req.readableLength > 0))
    return new UpstreamError("answer-timeout", "The upstream stopped reading the request.");
  if (isRead(req) && !req.complete) return new RequestError("upload-stalled", "The request's body stopped coming in.");
  return new GatewayError(
    "handler-misuse",
    "The stream that a delegating handler has set as outgoing.body stopped giving data. Let it end or fail.",
  );
}

/** Whether any code reads the client's body: the engine, or a handler's stream that is made of it. */
function isRead(req: IncomingMessage): boolean {
  return req.readableFlowing !== null || req.listenerCount("readable") > 0;
}
