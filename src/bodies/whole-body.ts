import { Readable } from "node:stream";
import type { AnswerBody } from "./answer-body.ts";
import { endWith } from "./end-response.ts";

/** A body that is all there. */
export function createWholeBody(bytes: Buffer, toText?: (bytes: Buffer) => string): AnswerBody {
  return {
    toStream: () => Readable.from([bytes], { objectMode: false }),
    takeWhole: () => bytes,
    writeTo: (res) => endWith(res, bytes, toText),
    sendTo: (sink) => sink.end(bytes),
    isRepeatable: true,
    flow: without,
  };
}

/** A body that is given again and again: of a short one the text is made once, and whoever reads it as a stream gets a copy. */
export function createRepeatedBody(bytes: Buffer): AnswerBody {
  let text: string | undefined;
  const body = createWholeBody(bytes, () => (text ??= bytes.toString("latin1")));
  return { ...body, toStream: () => Readable.from(copyWhenRead(bytes), { objectMode: false }) };
}

/** Code that reads a stream may change its pieces where they are. */
function* copyWhenRead(bytes: Buffer): Iterable<Buffer> {
  yield Buffer.from(bytes);
}

const without = { resume: nothing, abort: nothing };

function nothing(): void {
  // There is no source that could go on.
}
