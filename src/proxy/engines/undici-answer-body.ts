import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { createResponseSink, createStream, type Flow, type Sink } from "./undici-body-sinks.ts";

/** An answer's body between the parser, which pushes it, and the one place where it goes. */
export type AnswerBody = Readonly<{
  push: (chunk: Buffer) => void;
  end: () => void;
  fail: (error: Error) => void;
  toStream: () => Readable;
  takeWhole: () => Buffer | undefined;
  writeTo: (res: ServerResponse) => Promise<void>;
}>;

/** Bytes that wait for somebody to want them before the upstream is made to wait. */
const heldAtMost = 65_536;

/**
 * Keeps what comes in until somebody says where it goes. A short answer has come in whole by then, and leaves in one
 * write; pausing the parser at each head would cost more than this.
 */
export function createAnswerBody(flow: Flow): AnswerBody {
  let sink: Sink | undefined;
  let held: Buffer[] = [];
  let heldBytes = 0;
  let isEnded = false;
  let failure: Error | undefined;

  return { push, end, fail, toStream: () => createStream(flow, sendTo), takeWhole, writeTo };

  function push(chunk: Buffer): void {
    if (sink !== undefined) {
      if (!sink.write(chunk)) flow.pause();
      return;
    }
    held.push(chunk);
    heldBytes += chunk.length;
    if (heldBytes > heldAtMost) flow.pause();
  }

  function end(): void {
    isEnded = true;
    const last = sink;
    sink = undefined;
    last?.end();
  }

  function fail(error: Error): void {
    failure = error;
    sink?.fail(error);
  }

  function sendTo(chosen: Sink): void {
    if (!isEnded) sink = chosen;
    const last = isEnded ? held.pop() : undefined;
    const goesOn = held.map(chosen.write).at(-1) ?? true;
    held = [];
    if (isEnded) chosen.end(last);
    else if (failure !== undefined) chosen.fail(failure);
    else if (goesOn) flow.resume();
    else flow.pause();
  }

  function takeWhole(): Buffer | undefined {
    if (!isEnded || held.length === 0) return undefined;
    return held.length === 1 ? held.pop() : Buffer.concat(held.splice(0));
  }

  function writeTo(res: ServerResponse): Promise<void> {
    // Node keeps the head back until there is a body: an event stream that is silent at first would seem dead.
    if (heldBytes === 0 && !isEnded && failure === undefined) res.flushHeaders();
    return new Promise((resolve, reject) => sendTo(createResponseSink(res, flow, resolve, reject)));
  }
}
