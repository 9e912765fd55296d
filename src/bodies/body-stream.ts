import { Readable } from "node:stream";
import type { AnswerBody } from "./answer-body.ts";

/** Makes a stream of a body. */
export function createBodyStream({ flow, sendTo }: Pick<AnswerBody, "flow" | "sendTo">): Readable {
  let isOver = false;
  const stream = new Readable({
    read: () => void flow.resume(),
    destroy(error, callback) {
      if (!isOver) flow.abort(error ?? new Error("Nobody wants the rest of the body."));
      // As with an answer of node:http: who does not listen for errors is not brought down by one.
      callback(stream.listenerCount("error") > 0 ? error : null);
    },
  });
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
