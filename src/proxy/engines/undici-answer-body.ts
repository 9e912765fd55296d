import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import type { EngineAnswer } from "../engine.ts";

/** An answer's body between the parser, which pushes it, and the one place where it goes. */
export type AnswerBody = Readonly<{
  push: (chunk: Buffer) => void;
  end: () => void;
  fail: (error: Error) => void;
}> &
  Pick<EngineAnswer, "body" | "writeTo">;

/** Where a body goes; `write` returns false to be asked later. */
type Sink = Readonly<{
  write: (chunk: Buffer) => boolean;
  end: (last?: Buffer) => void;
  fail: (error: Error) => void;
}>;

type Flow = Pick<Dispatcher.DispatchController, "pause" | "resume" | "abort">;

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

  return { push, end, fail, body, writeTo };

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
    sink?.end();
  }

  function fail(error: Error): void {
    failure = error;
    sink?.fail(error);
  }

  function send(to: Sink): void {
    sink = to;
    const last = isEnded ? held.pop() : undefined;
    let isFlowing = true;
    for (const chunk of held) isFlowing = to.write(chunk);
    held = [];
    if (isEnded) to.end(last);
    else if (failure !== undefined) to.fail(failure);
    else if (isFlowing) flow.resume();
    else flow.pause();
  }

  function body(): Readable {
    const stream = new Readable({
      read: () => flow.resume(),
      destroy(error, callback) {
        if (!isEnded && failure === undefined) flow.abort(error ?? new Error("Nobody wants the rest of the body."));
        // As with an answer of node:http: who does not listen for errors is not brought down by one.
        callback(stream.listenerCount("error") > 0 ? error : null);
      },
    });
    send({
      write: (chunk) => stream.push(chunk),
      end(last) {
        if (last !== undefined) stream.push(last);
        stream.push(null);
      },
      fail: (error) => stream.destroy(error),
    });
    return stream;
  }

  function writeTo(res: ServerResponse): Promise<void> {
    return new Promise((resolve, reject) => {
      const goOn = (): void => flow.resume();
      send({
        write(chunk) {
          if (res.writableEnded) flow.abort(new Error("The response was ended by somebody else."));
          else if (res.write(chunk)) return true;
          else res.once("drain", goOn);
          return false;
        },
        end(last) {
          if (!res.writableEnded) res.end(last);
          resolve();
        },
        fail(error) {
          if (res.destroyed) resolve();
          else reject(error);
        },
      });
    });
  }
}
