import type { Readable } from "node:stream";
import { TextDecoder } from "node:util";
import { createMarkRemover } from "../bodies/parsed/byte-order-mark.ts";
import { failureOfStream } from "../bodies/broken-off.ts";
import { decompress, findCoding } from "../bodies/codings/content-coding.ts";
import { readCharset, readMediaType } from "../bodies/media-type.ts";
import { streamForGateway } from "../bodies/with-code/stream-for-gateway.ts";
import { unreadBody } from "../bodies/with-code/body-to-read.ts";
import type { UpstreamResponse } from "../delegating-handler.ts";
import { createJsonCheck, mostLevels } from "./check-json.ts";
import { asBase64, asText, asTextOrBase64, jsonOr, type Pieces } from "./text-or-base64-parts.ts";
import type { PartCall } from "./part-call.ts";
import { partIllFormed } from "./part-errors.ts";
import { piecesInTime } from "./part-body-in-time.ts";

const mostDecompressed = 100 * 1024 * 1024;
const jsonType = /^application\/(?:[\w.!#$&^-]+\+)?json$/;
const textType = /^(?:text\/.+|application\/(?:(?:[\w.!#$&^-]+\+)?xml|x-www-form-urlencoded))$/;

/** Opens the body of a part's answer as what it is in the whole: one JSON value. Throws where that is known to be impossible. */
export function openMember(answer: UpstreamResponse, call: PartCall): Pieces {
  const { key } = call;
  const body = piecesInTime(openBody(answer, key), call, failureOfStream(streamForGateway(answer)));
  const type = answer.headers["content-type"];
  const mediaType = readMediaType(type);
  if (jsonType.test(mediaType)) return orNull(onlyJson(inUtf8(body, charsetOf(type, key)), key));
  if (textType.test(mediaType)) return orNull(jsonOr(decoded(body, charsetOf(type, key)), asText));
  return orNull(jsonOr(body, mediaType === "" ? asTextOrBase64 : asBase64));
}

/** The body of an answer without its coding; it fails where too many bytes come out. */
function openBody(answer: UpstreamResponse, key: string): Readable {
  const body = unreadBody(answer);
  const coding = findCoding(answer.headers["content-encoding"]);
  if (coding === "foreign") throw partIllFormed(key, "is sent in a coding that the gateway cannot undo");
  return coding === undefined ? body : decompress(body, coding, mostDecompressed);
}

function charsetOf(type: string | string[] | undefined, key: string): string {
  const charset = readCharset(String(type));
  if (charset === undefined) throw partIllFormed(key, "is written in a charset that is not known");
  return charset;
}

/** JSON is passed on byte for byte; only a mark of its charset is no part of it. */
async function* inUtf8(body: Pieces, charset: string): Pieces {
  if (charset !== "utf-8") {
    yield* decoded(body, charset);
    return;
  }
  const removeMark = createMarkRemover();
  for await (const piece of body) yield removeMark(piece);
}

async function* decoded(body: Pieces, charset: string): Pieces {
  const decoder = new TextDecoder(charset);
  for await (const piece of body) yield Buffer.from(decoder.decode(piece, { stream: true }));
  yield Buffer.from(decoder.decode());
}

async function* onlyJson(body: Pieces, key: string): Pieces {
  const check = createJsonCheck(mostLevels);
  let isEmpty = true;
  for await (const piece of body) {
    if (!check.take(piece)) throw notJson(key);
    isEmpty &&= piece.length === 0;
    yield piece;
  }
  if (!isEmpty && !check.isWhole()) throw notJson(key);
}

function notJson(key: string): Error {
  return partIllFormed(key, `says that it is JSON, and is not, or is nested more than ${mostLevels} levels deep`);
}

/** A part that answers with nothing has a place in the whole all the same. */
async function* orNull(pieces: Pieces): Pieces {
  let isEmpty = true;
  for await (const piece of pieces) {
    if (piece.length === 0) continue;
    isEmpty = false;
    yield piece;
  }
  if (isEmpty) yield Buffer.from("null");
}
