import { IncomingMessage, type ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { GatewayError } from "../errors.ts";
import type { AnswerBody, Sink } from "./answer-body.ts";
import { brokenOff } from "./broken-off.ts";
import { freeMemory } from "./free-memory.ts";
import { isWatched } from "./from-parser.ts";
import { writeToResponse } from "./response-sink.ts";

/** What is known of a stream besides its bytes. */
export type StreamSettings = Readonly<{
  /** What it means that it fails, or closes before its end; an http message is some upstream's answer. */
  toFailure?: (cause: Error | null) => Error;
  /** Its pieces are made by Node's parser, and nobody else has ever seen them. */
  isOursAlone?: boolean;
}>;

type ToFailure = NonNullable<StreamSettings["toFailure"]>;

/** The body that a stream gives. */
export function createStreamBody(
  stream: Readable,
  { toFailure, isOursAlone = false }: StreamSettings = {},
): AnswerBody {
  const fail = toFailure ?? (stream instanceof IncomingMessage ? brokenOff : ownFailure);
  let isOurs = isOursAlone;
  const flow = { resume: () => stream.resume(), abort, ...(isOursAlone && { written }) };
  return { toStream: () => stream, takeWhole: () => undefined, writeTo, sendTo, flow };

  function sendTo(sink: Sink): void {
    isOurs &&= !isWatched(stream, 0);
    send(stream, { ...sink, write }, fail);

    function write(piece: Buffer): boolean {
      isOurs &&= !isWatched(stream, 1);
      return sink.write(piece);
    }
  }

  function written(piece: Buffer): void {
    if (isOurs) freeMemory(piece);
  }

  function writeTo(res: ServerResponse): Promise<void> {
    // Node keeps the head back until there is a body: an event stream that is silent at first would seem dead.
    if (stream.readableLength === 0 && !stream.destroyed && !isComplete(stream)) res.flushHeaders();
    return writeToResponse(res, { flow, sendTo });
  }

  function abort(reason: Error): void {
    stream.destroy(stream.listenerCount("error") > 0 ? reason : undefined);
  }
}

function send(stream: Readable, sink: Sink, toFailure: ToFailure): void {
  let isOver = false;
  // It may have ended or broken off while somebody was busy with something else: then no event comes any more.
  if (stream.readableEnded) {
    if (stream.readableDidRead) sink.fail(readBefore());
    else sink.end();
    return;
  }
  if (stream.destroyed) {
    sink.fail(toFailure(stream.errored));
    return;
  }
  stream.on("data", write).once("end", end).once("error", fail).once("close", closeEarly);
  // Whoever has looked at it before may have paused it.
  stream.resume();

  function write(chunk: unknown): void {
    const piece = toBuffer(chunk);
    if (piece === undefined) stream.destroy(notBytes(chunk));
    else if (!sink.write(piece)) stream.pause();
  }

  function end(): void {
    if (isOver || !isComplete(stream)) return;
    isOver = true;
    sink.end();
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

/** An http message that was cut off ends like any stream, but knows that it is not complete. */
function isComplete(stream: Readable): boolean {
  return stream instanceof IncomingMessage ? stream.complete : stream.readableEnded;
}

function toBuffer(chunk: unknown): Buffer | undefined {
  if (Buffer.isBuffer(chunk)) return chunk;
  if (typeof chunk === "string") return Buffer.from(chunk);
  return ArrayBuffer.isView(chunk) ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength) : undefined;
}

function notBytes(chunk: unknown): Error {
  return new GatewayError(
    "handler-misuse",
    `The body of an answer gave a piece that is ${typeof chunk === "object" ? "an object" : `a ${typeof chunk}`}. Assign a stream of bytes or of text.`,
  );
}

function ownFailure(cause: Error | null): Error {
  return cause ?? new Error("The body broke off.");
}

function readBefore(): Error {
  return new GatewayError(
    "handler-misuse",
    "The body of an answer was read to its end before it was written. Assign what was read: answer.body = text.",
  );
}
