import { Readable } from "node:stream";
import { readByAnother } from "../../bodies/parsed/body-that-parser-has-read.ts";
import { gatherPieces } from "../../bodies/pieces/gather-pieces.ts";
import { keepWhatIsThere } from "../../bodies/with-code/lacks-bytes.ts";
import { lacksBeginning, wrongRequest } from "../../bodies/uploads/send-request-bytes.ts";
import type { OutgoingRequest } from "../../delegating-handler.ts";
import type { MatchedExchange } from "../../exchange/matched-exchange.ts";
import { readUnlessStalled } from "../../forwarding/read-unless-stalled.ts";
import { watchPieces } from "../../unattended/guarded.ts";

/** The longest body of a request that tells answers apart. */
const longestHashed = 65_536;

/**
 * Takes the bytes of a request's body, which from then on is these bytes; undefined for a body that is too long, which is as
 * it was. A client that leaves meanwhile lets it fail, and so does one that sends nothing more for too long.
 */
export async function takeHashedBody(
  outgoing: OutgoingRequest,
  { context: { req }, uploadLimit }: MatchedExchange,
): Promise<Buffer | undefined> {
  const { body } = outgoing;
  if (body === null) return Buffer.alloc(0);
  if (!(body instanceof Readable)) return body.length <= longestHashed ? body : undefined;
  const { "content-length": text } = outgoing.headers;
  const told = text === undefined ? undefined : Number(text);
  if (told !== undefined && told > longestHashed) return undefined;
  if (lacksBeginning(body, told)) throw readByAnother();
  const bytes = await readUnlessStalled({ req, body }, uploadLimit, () => readUpTo(body, longestHashed));
  if (bytes === undefined) return undefined;
  if (told !== undefined && bytes.length !== told) throw wrongRequest(bytes.length > told ? "longer" : "shorter");
  outgoing.body = bytes;
  outgoing.headers["content-length"] = String(bytes.length);
  return bytes;
}

/** Reads a stream that is short; of a longer one, what was read is put back. What others read meanwhile counts as well. */
async function readUpTo(stream: Readable, most: number): Promise<Buffer | undefined> {
  // What is all there would be read to its end at once, and nothing can be put back behind that.
  if (stream.readableLength > most) return undefined;
  const pieces = gatherPieces();
  let seen = 0;
  const watching = watchPieces(stream, (piece) => {
    seen += piece.length;
    if (pieces.length() <= most) pieces.add(piece as Buffer);
  });
  const reading = stream.iterator({ destroyOnReturn: false });
  while (pieces.length() <= most && (await reading.next()).done !== true);
  await reading.return?.();
  stream.off("data", watching);
  const bytes = pieces.take();
  if (bytes.length <= most) return bytes;
  if (bytes.length < seen || stream.readableEnded) throw readByAnother();
  stream.unshift(bytes);
  keepWhatIsThere(stream);
  return undefined;
}
