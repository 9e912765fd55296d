import { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import type { Receive } from "../asking/receive-in-share.ts";
import { brokenOff } from "../bodies/broken-off.ts";
import { decompress, findCoding } from "../bodies/codings/content-coding.ts";
import { gatherPieces } from "../bodies/pieces/gather-pieces.ts";
import { isAtParser } from "../bodies/pieces/is-at-parser.ts";
import { takeInFewPieces } from "../bodies/pieces/take-in-few-pieces.ts";
import { UpstreamError } from "../errors.ts";
import type { EngineAnswer } from "../forwarding/engines/engine.ts";
import { readAnswerHeaders } from "../headers/answer-headers.ts";
import type { DocumentFault } from "../openapi/reading/document-fault.ts";
import { ignoreErrors } from "../unattended/guarded.ts";

/** The bytes of a document that are still to come: no more of them come than are asked for. */
export type DocumentBody = Readonly<{
  /** Reads on until there are more than so many bytes, or all, and tells whether there are more. */
  isLongerThan: (bytes: number) => Promise<boolean>;
  /** How many bytes were read. */
  readBytes: () => number;
  /** All that was read. */
  take: () => Buffer;
  /** Lets go of what is not read. */
  close: () => void;
}>;

/** How long a document may be. */
export const mostBytes = 8 * 1_024 * 1_024;

export const tooLong: DocumentFault = {
  fault: `it has more than ${mostBytes / 1_048_576} MiB, or a coding that cannot be undone`,
};

/** Prepares to read the document that an answer brings; nothing is read yet. */
export function openDocument(
  { status, rawHeaders, body }: EngineAnswer,
  receive: Receive,
): DocumentBody | DocumentFault {
  const stream = body instanceof Readable ? body : body.toStream();
  if (stream instanceof IncomingMessage && isAtParser(stream)) {
    takeInFewPieces(stream);
    receive(stream.socket, stream);
  }
  ignoreErrors(stream);
  if (status !== 200) {
    stream.destroy();
    const isRedirect = status >= 300 && status < 400;
    return { fault: `the service answers ${status}${isRedirect ? ", and redirects are not followed" : ""}` };
  }
  const coding = findCoding(readAnswerHeaders(rawHeaders)["content-encoding"]);
  if (coding === undefined) return createBody(stream);
  if (coding !== "foreign") return createBody(decompress(Readable.from(upToMost(stream)), coding, mostBytes));
  stream.destroy();
  return tooLong;
}

function createBody(stream: Readable): DocumentBody {
  // It may fail while it waits, and nobody reads.
  ignoreErrors(stream);
  const pieces = gatherPieces();
  const coming = (stream as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  return { isLongerThan, readBytes: pieces.length, take: pieces.take, close: () => void stream.destroy() };

  async function isLongerThan(bytes: number): Promise<boolean> {
    while (pieces.length() <= bytes) {
      const next = await coming.next().catch(failAsBrokenOff);
      if (next.done === true) return false;
      pieces.add(next.value);
    }
    return true;
  }
}

function failAsBrokenOff(cause: Error): never {
  throw brokenOff(cause);
}

/** A few bytes can stand behind any number of coded ones. */
async function* upToMost(coded: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const piece of coded) {
    bytes += piece.length;
    if (bytes > mostBytes) throw new UpstreamError("upstream-ill-formed", `The body is too long: ${tooLong.fault}.`);
    yield piece;
  }
}
