import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { AnswerBody } from "./answer-body.ts";
import { endWith } from "./responses/end-response.ts";
import { isWrittenByNode } from "./responses/is-written-by-node.ts";
import { writeToResponse } from "./responses/response-sink.ts";
import { createStreamBody } from "./stream-body.ts";

/** Longer bodies are copied piece by piece, each when it is asked for. */
const longestCopy = 65_536;

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

/**
 * A body that is given again and again: of a short one the text is made once, unless its owner may write into it meanwhile, and
 * whoever reads it as a stream, or stands in the way of what is written, gets copies.
 */
export function createRepeatedBody(bytes: Buffer, { mayChange = false } = {}): AnswerBody {
  let text: string | undefined;
  const toText = mayChange ? undefined : (): string => (text ??= bytes.toString("latin1"));
  const toStream = (): Readable => Readable.from(copyWhenRead(bytes), { objectMode: false });
  return { ...createWholeBody(bytes), toStream, writeTo, isLent: true };

  function writeTo(res: ServerResponse): Promise<void> {
    if (isWrittenByNode(res)) return endWith(res, bytes, toText);
    // Clients that read nothing must not keep as many copies of a long body.
    if (bytes.length > longestCopy) return writeToResponse(res, createStreamBody(toStream()));
    return endWith(res, Buffer.from(bytes));
  }
}

/** Code that reads a stream may change its pieces where they are. */
function* copyWhenRead(bytes: Buffer): Iterable<Buffer> {
  for (let at = 0; at < bytes.length; at += longestCopy) yield Buffer.from(bytes.subarray(at, at + longestCopy));
}

const without = { resume: nothing, abort: nothing };

function nothing(): void {
  // There is no source that could go on.
}
