import { Readable } from "node:stream";
import type { AnswerBody } from "./answer-body.ts";
import { endWith } from "./end-response.ts";

/** A body that is all there. */
export function createWholeBody(bytes: Buffer): AnswerBody {
  return {
    toStream: () => Readable.from([bytes], { objectMode: false }),
    takeWhole: () => bytes,
    writeTo: (res) => endWith(res, bytes),
    sendTo: (sink) => sink.end(bytes),
    isRepeatable: true,
    flow: without,
  };
}

const without = { resume: nothing, abort: nothing };

function nothing(): void {
  // There is no source that could go on.
}
