import type { Readable } from "node:stream";
import type { AnswerBody, Sink } from "./answer-body.ts";
import { breakOff } from "./break-off.ts";
import { pipeToClient } from "./pipe-to-client.ts";

/** The body that a stream gives. */
export function streamBody(stream: Readable): AnswerBody {
  return {
    toStream: () => stream,
    takeWhole: () => undefined,
    writeTo: (res) => pipeToClient(stream, res),
    sendTo: (sink) => send(stream, sink),
    flow: { resume: () => stream.resume(), abort: () => stream.destroy() },
  };
}

function send(stream: Readable, sink: Sink): void {
  let isOver = false;
  stream.on("data", write).once("end", end).once("error", fail).once("close", fail);
  if (stream.readableEnded) end();
  else if (stream.destroyed) fail(stream.errored);

  function write(chunk: Buffer | string): void {
    if (!sink.write(typeof chunk === "string" ? Buffer.from(chunk) : chunk)) stream.pause();
  }

  function end(): void {
    isOver = true;
    sink.end();
  }

  function fail(cause?: Error | null): void {
    if (isOver) return;
    isOver = true;
    sink.fail(breakOff(cause));
  }
}
