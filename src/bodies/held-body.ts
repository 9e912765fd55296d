import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { inPresentContext } from "../in-present-context.ts";
import type { AnswerBody, Flow, Sink } from "./answer-body.ts";
import { flushHead } from "./responses/flush-head.ts";
import { givenTwice } from "./with-code/gone-body.ts";
import { isWrittenByNode } from "./responses/is-written-by-node.ts";
import { ignoreErrors } from "../unattended/guarded.ts";
import { writeToResponse } from "./responses/response-sink.ts";

/** A body between its source, which writes into it, and the one place where it goes. */
export type HeldBody = AnswerBody & Sink;

type HeldBodySettings = Pick<AnswerBody, "isLent">;

/** The one by which a stream hears of errors that nobody else does. */
const ownListeners = 1;

/** How many bytes wait here before the source has to wait. */
const heldAtMost = 65_536;

/**
 * Keeps what comes in until its destination is known. A short answer has come in whole by then, and leaves in one
 * write; pausing its source at each head would cost more than this.
 */
export function createHeldBody(flow: Flow, { isLent = false }: HeldBodySettings = {}): HeldBody {
  let sink: Sink | undefined;
  let held: Buffer[] = [];
  let heldBytes = 0;
  let isEnded = false;
  let isGone = false;
  let failure: Error | undefined;
  const sendCopies = (sink: Sink): void => sendTo(copyInto(sink));

  return { write, end, fail, toStream, takeWhole, writeTo, sendTo, flow, isLent };

  function write(chunk: Buffer): boolean {
    if (sink !== undefined) return sink.write(chunk);
    held.push(chunk);
    heldBytes += chunk.length;
    return heldBytes <= heldAtMost;
  }

  function end(last?: Buffer): void {
    isEnded = true;
    if (sink !== undefined) sink.end(last);
    else if (last !== undefined) held.push(last);
    sink = undefined;
  }

  function fail(error: Error): void {
    failure = error;
    sink?.fail(error);
  }

  function sendTo(chosen: Sink): void {
    if (isGone) return chosen.fail(givenTwice());
    isGone = true;
    if (!isEnded && failure === undefined) sink = inContextOfTaker(chosen);
    const last = isEnded ? held.pop() : undefined;
    const goesOn = writeAll(held, chosen);
    held = [];
    if (isEnded) chosen.end(last);
    else if (failure !== undefined) chosen.fail(failure);
    else if (goesOn) flow.resume();
  }

  function toStream(): Readable {
    return createBodyStream({ flow, sendTo: isLent ? sendCopies : sendTo });
  }

  function takeWhole(): Buffer | undefined {
    if (!isEnded || isGone || held.length === 0) return undefined;
    isGone = true;
    return held.length === 1 ? held.pop() : Buffer.concat(held.splice(0));
  }

  function writeTo(res: ServerResponse): Promise<void> {
    // Node keeps the head back until there is a body: an event stream that is silent at first would seem dead.
    if (heldBytes === 0 && !isEnded && !isGone && failure === undefined) flushHead(res);
    return writeToResponse(res, { flow, sendTo: isLent && !isWrittenByNode(res) ? sendCopies : sendTo });
  }
}

/** What is still to come is handed on by a source that other clients may share. */
function inContextOfTaker({ write, end, fail }: Sink): Sink {
  const run = inPresentContext();
  return {
    write: (chunk) => run(write, chunk),
    end: (last) => run(end, last),
    fail: (error) => run(fail, error),
  };
}

/** Code that reads a stream, and middleware that is given what is written, may change pieces where they are. */
function copyInto({ write, end, fail }: Sink): Sink {
  return {
    write: (chunk) => write(Buffer.from(chunk)),
    end: (last) => end(last && Buffer.from(last)),
    fail,
  };
}

/** Writes one piece after the other; false when the last of them asked for a pause. */
export function writeAll(pieces: readonly Buffer[], sink: Sink): boolean {
  let goesOn = true;
  for (const piece of pieces) goesOn = sink.write(piece);
  return goesOn;
}

/** Makes a stream of a body. */
function createBodyStream({ flow, sendTo }: Pick<AnswerBody, "flow" | "sendTo">): Readable {
  let isOver = false;
  const stream = new Readable({
    read: () => void flow.resume(),
    destroy(error, callback) {
      if (!isOver) flow.abort(error ?? new Error("Nobody wants the rest of the body."));
      // As with an answer of node:http, an error is for those alone who listen to it.
      callback(stream.listenerCount("error") > ownListeners ? error : null);
    },
  });
  // Whoever listens may leave off before Node tells the error, as with the end of a signal.
  ignoreErrors(stream);
  sendTo({
    write: (chunk) => stream.push(chunk),
    end(last) {
      isOver = true;
      if (last !== undefined) stream.push(last);
      stream.push(null);
    },
    fail(error) {
      isOver = true;
      stream.destroy(error);
    },
  });
  return stream;
}
