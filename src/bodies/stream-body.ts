import { IncomingMessage, type ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { listen, listenOnce, rightAfter } from "../unattended/guarded.ts";
import type { AnswerBody, Sink } from "./answer-body.ts";
import { failureOfStream, type ToFailure } from "./broken-off.ts";
import { givenTwice, isSpent, noteSpent } from "./with-code/gone-body.ts";
import { release } from "./with-code/hold-until-read.ts";
import { isStream } from "./with-code/is-stream.ts";
import { isHadByCode } from "./with-code/bodies-with-code.ts";
import { pipesOf } from "./with-code/pipes-of.ts";
import { isReadToEnd, readBefore } from "./with-code/read-before.ts";
import { refuseBody } from "./with-code/refuse-body.ts";
import { giveUpInLaterTurn } from "./with-code/give-up-body.ts";
import { flushHead } from "./responses/flush-head.ts";
import { hearFailure } from "./with-code/silence.ts";
import { failureOf, isGiven, watchGiven } from "./with-code/stream-of-user-code.ts";
import { measureSink } from "./body-of-told-length.ts";
import { notBytes, pieceBytes } from "./pieces/piece-bytes.ts";
import { writeToResponse } from "./responses/response-sink.ts";

/** What is known of a stream besides its bytes. */
type StreamSettings = Readonly<{
  /** Where it is not by the kind of the stream whose failure that is. */
  toFailure?: ToFailure;
  /** How many bytes the stream must give, where a head has told it already. */
  length?: number | undefined;
  /** Nobody but this body has it, until it is asked for as a stream. */
  isOwn?: true;
}>;

/** Old streams, and those of other libraries, need not have all that Node's have. */
type Given = Partial<Pick<Readable, "pause" | "resume">>;

/** The body that a stream gives. */
export function createStreamBody(stream: Readable, { toFailure, length, isOwn }: StreamSettings = {}): AnswerBody {
  if (!isStream(stream)) throw refuseBody(stream);
  const fail = toFailure ?? failureOfStream(stream);
  watchGiven(stream);
  const given: Given = stream;
  const flow = { resume: () => given.resume?.(), abort };
  let isSent = false;
  return { toStream: () => stream, takeWhole: () => undefined, writeTo, sendTo, flow, stream };

  function sendTo(sink: Sink): void {
    if (isSent || isSpent(stream)) {
      sink.fail(givenTwice());
      return;
    }
    isSent = true;
    if (isOwn === undefined) {
      noteSpent(stream);
      // A part of an aggregate may have been given the same, and wait for other parts.
      release(stream);
    }
    sendStream(stream, length === undefined ? sink : measureSink(sink, { length, stop: abort }), fail);
  }

  function writeTo(res: ServerResponse): Promise<void> {
    // Node keeps the head back until there is a body: an event stream that is silent at first would seem dead.
    if (stream.readableLength === 0 && !stream.destroyed && !isComplete(stream)) flushHead(res);
    return writeToResponse(res, { flow, sendTo });
  }

  function abort(): void {
    // It is on its way to somebody else.
    if (!isSent && isSpent(stream)) return;
    giveUpInLaterTurn(stream);
  }
}

/** Sends what a stream gives into a sink, piece by piece. */
export function sendStream(stream: Readable, sink: Sink, toFailure: ToFailure): void {
  const given: Given = stream;
  let isFull = false;
  let isOver = isOverAlready(stream, sink, toFailure);
  if (isOver) return;
  listen(stream, "data", write);
  listenOnce(stream, "end", end);
  if (isGiven(stream)) hearFailure(stream, fail);
  else listenOnce(stream, "error", fail);
  listenOnce(stream, "close", closeEarly);
  if (isHadByCode(stream)) goOnWithoutPipes(stream, () => !isOver && !isFull);
  // Code that has looked at the stream before may have paused it.
  given.resume?.();

  function write(chunk: unknown): void {
    if (isOver) return;
    const piece = pieceBytes(chunk);
    if (piece === undefined) {
      fail(notBytes(chunk));
      giveUpInLaterTurn(stream);
      return;
    }
    handOn(() => {
      isFull = !sink.write(piece);
      if (isFull) given.pause?.();
    });
  }

  /** Middleware on the way may throw: that is its own failure, and not the upstream's. */
  function handOn(act: () => void): void {
    try {
      act();
    } catch (error) {
      isOver = true;
      giveUpInLaterTurn(stream);
      sink.fail(error as Error);
    }
  }

  function end(): void {
    // Streams of other libraries say of themselves nothing but that they end.
    if (isOver || (stream instanceof IncomingMessage && !stream.complete)) return;
    isOver = true;
    handOn(() => sink.end());
  }

  function closeEarly(): void {
    fail(null);
  }

  function fail(cause: Error | null): void {
    if (isOver) return;
    isOver = true;
    sink.fail(toFailure(cause));
  }
}

/** Node pauses a stream whose last pipe has gone, as where a file that it is copied into is full: others go on to read it. */
function goOnWithoutPipes(stream: Readable, isWanted: () => boolean): void {
  let pipes = 0;
  listen(stream, "data", () => (pipes = pipesOf(stream).length));
  listen(stream, "pause", () => {
    if (pipes > 0 && pipesOf(stream).length === 0 && isWanted()) rightAfter(() => stream.resume());
  });
}

/** The stream may have ended or broken off while a handler was busy: then no event comes any more. */
function isOverAlready(stream: Readable, sink: Sink, toFailure: ToFailure): boolean {
  const failure = failureOf(stream);
  if (isReadToEnd(stream)) sink.fail(readBefore());
  else if (stream.readableEnded) sink.end();
  else if (stream.destroyed || failure !== undefined) sink.fail(toFailure(failure ?? null));
  else return false;
  return true;
}

/** An http message that was cut off ends like any stream, but knows that it is not complete. */
function isComplete(stream: Readable): boolean {
  return stream instanceof IncomingMessage ? stream.complete : stream.readableEnded;
}
