import { TextDecoder } from "node:util";
import { gatherPieces } from "../bodies/pieces/gather-pieces.ts";
import { createJsonCheck, mostLevels } from "./check-json.ts";

/** A body, piece by piece. */
export type Pieces = AsyncIterable<Buffer>;

/** How a body that is no JSON is written as JSON. */
type Writing = Readonly<{
  /** Whether to look at more of it than shows that it is no JSON. */
  looksFurther: boolean;
  /** Writes all pieces; `start` is what was looked at, the whole body where `isAll`. */
  write: (pieces: Pieces, start: Buffer, isAll: boolean) => Pieces;
}>;

/** Texts become texts of JSON; what is no UTF-8 in them, the character that stands for that. */
export const asText: Writing = { looksFurther: false, write: writeText };

/** Other bytes become texts of base64. */
export const asBase64: Writing = { looksFurther: false, write: writeBase64 };

/** What does not say what it is: a text where it begins as one. */
export const asTextOrBase64: Writing = {
  looksFurther: true,
  write: (pieces, start, isAll) => (beginsInUtf8(start, isAll) ? writeText(pieces) : writeBase64(pieces)),
};

// What does not say that it is JSON is kept back so far, to see whether it is.
const mostLookedAt = 1024 * 1024;

/** A body that is JSON without saying so passes as it is, any other is written as what it says it is. */
export async function* jsonOr(body: Pieces, { looksFurther, write }: Writing): Pieces {
  const check = createJsonCheck(mostLevels);
  const source = body[Symbol.asyncIterator]();
  const held = gatherPieces();
  let mayBeJson = true;
  let isAll = false;
  try {
    while (!isAll && held.length() <= mostLookedAt && (mayBeJson || looksFurther)) {
      const next = await source.next();
      isAll = next.done === true;
      if (next.done === true) continue;
      mayBeJson &&= check.take(next.value);
      held.add(next.value);
    }
    if (held.length() === 0) return;
    const start = held.take();
    if (isAll && mayBeJson && check.isWhole()) yield start;
    else yield* write(chain(start, source), start, isAll);
  } finally {
    await source.return?.();
  }
}

// What is written of a piece may take six times its length, and waits for the client.
const mostWrittenAtOnce = 64 * 1024;

async function* chain(start: Buffer, rest: AsyncIterator<Buffer>): Pieces {
  for (let at = 0; at < start.length; at += mostWrittenAtOnce) yield start.subarray(at, at + mostWrittenAtOnce);
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

function beginsInUtf8(start: Buffer, isAll: boolean): boolean {
  try {
    // A character may be cut where the beginning ends.
    new TextDecoder("utf-8", { fatal: true }).decode(start, { stream: !isAll });
    return true;
  } catch {
    return false;
  }
}

async function* writeText(pieces: Pieces): Pieces {
  const decoder = new TextDecoder();
  yield quote();
  for await (const piece of pieces) yield escaped(decoder.decode(piece, { stream: true }));
  yield escaped(decoder.decode());
  yield quote();
}

/** Code that reads a body may change its pieces where they are. */
const quote = (): Buffer => Buffer.from('"');

function escaped(text: string): Buffer {
  return Buffer.from(JSON.stringify(text).slice(1, -1));
}

const bytesOfGroup = 3;

async function* writeBase64(pieces: Pieces): Pieces {
  let rest = Buffer.alloc(0);
  yield quote();
  for await (const piece of pieces) {
    const bytes = Buffer.concat([rest, piece]);
    const end = bytes.length - (bytes.length % bytesOfGroup);
    rest = bytes.subarray(end);
    yield Buffer.from(bytes.toString("base64", 0, end));
  }
  yield Buffer.from(rest.toString("base64"));
  yield quote();
}
