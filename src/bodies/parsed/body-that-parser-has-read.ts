import { BodyConsumedError, RequestError } from "../../errors.ts";
import type { Headers } from "../../delegating-handler.ts";
import type { Framing } from "../request-framing.ts";
import { writeJson } from "./write-json.ts";
import type { IncomingMessage } from "node:http";
import type { BodyToSend, PartBody } from "./body-of-part.ts";
import { isStillCoded, type KeptBody } from "./is-still-coded.ts";
import { isJsonType, readMediaType, withUtf8 } from "../media-type.ts";
import type { Head } from "./sent-length.ts";
import { writeForm } from "./write-form.ts";
import { writeOnce } from "./write-once.ts";
import { writeText } from "./write-text.ts";
import { writeTextOfJson } from "./write-text-of-json.ts";

/** What body parsers leave on a request; those of Express 4 mark one that they have read. */
type ParsedRequest = IncomingMessage & { rawBody?: unknown; body?: unknown; _body?: unknown; [ofPart]?: PartBody };

/** Under this name the request of a part has its parsed body, of which what is sent as it is needs no copy. */
export const ofPart = Symbol("the body of a part");

// These headers describe the client's bytes, which are not sent where a body is written anew.
const describesOldBytes = ["content-encoding", "content-md5", "digest", "content-digest", "repr-digest"];

/** Tells the length of a body. */
export function withLength<Body>(body: Body, length: number | string, headers: Headers): Body {
  headers["content-length"] = String(length);
  return body;
}

/** Takes a body that is no stream any more: as the parser has kept it, or written anew from what it has made of it. */
export function takeReadBody(req: ParsedRequest, framing: Framing, headers: Headers): Buffer {
  const { rawBody, readableEnded } = req;
  if (!readableEnded) throw readByAnother();
  const parsed = req[ofPart]?.toSend() ?? { value: req.body, shared: undefined };
  if (Buffer.isBuffer(rawBody))
    return takeRawBody({ bytes: rawBody, framing, isParsed: isParsed(req, parsed.value) }, headers);
  const bytes = isOfEmptyBody(req, parsed.value) ? Buffer.alloc(0) : writeParsed(parsed, { framing, headers });
  for (const name of describesOldBytes) delete headers[name];
  return withLength(bytes, bytes.length, headers);
}

/** The error for a body that cannot be sent, as other code is reading it. */
export function readByAnother(): BodyConsumedError {
  return new BodyConsumedError(
    "body-consumed",
    "The body of the request is being read by somebody else, middleware or a handler: it cannot be sent. A handler that changes " +
      "or watches it assigns what is to be sent: outgoing.body = outgoing.body.pipe(…).",
  );
}

function takeRawBody(kept: KeptBody, headers: Headers): Buffer {
  const coding = headers["content-encoding"];
  if (coding !== undefined && !isStillCoded(kept, String(coding)))
    for (const name of describesOldBytes) delete headers[name];
  return withLength(kept.bytes, kept.bytes.length, headers);
}

/** Whether a parser has read a body. Those of Express 4 put an empty object on requests too that they leave to others. */
function isParsed({ _body }: ParsedRequest, body: unknown): boolean {
  return body !== undefined && (_body === true || !isEmptyRecord(body));
}

/**
 * Whether a body is what parsers make of chunks without a byte: an empty object, an empty text, or nothing. An empty
 * object that middleware has put there cannot be told from it; anything else that it has put there is sent.
 */
function isOfEmptyBody({ readableDidRead }: ParsedRequest, body: unknown): boolean {
  if (readableDidRead) return false;
  return body === undefined || body === "" || isEmptyRecord(body);
}

function isEmptyRecord(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && Object.keys(value).length === 0;
}

function writeParsed({ value, shared }: BodyToSend, head: Head): Buffer {
  if (Buffer.isBuffer(value)) return value;
  const bytes = shared === undefined ? serialise(value, head) : writeOnce(shared, head, () => serialise(value, head));
  declareUtf8(head.headers);
  return bytes;
}

function serialise(body: unknown, head: Head): Buffer {
  const mediaType = readMediaType(head.headers["content-type"]);
  const isText = typeof body === "string" && !isJsonType(mediaType);
  const text = isText ? writeText(body, head) : writeAgain(mediaType, body, head);
  if (text === undefined) throw body === undefined ? consumed(mediaType) : unwritable(mediaType);
  return Buffer.from(text);
}

type Serialiser = (body: unknown, head: Head) => string | undefined;

const serialisers: readonly Readonly<{ fits: (mediaType: string) => boolean; serialise: Serialiser }>[] = [
  { fits: isJsonType, serialise: serialiseJson },
  { fits: (mediaType) => mediaType === "application/x-www-form-urlencoded", serialise: serialiseForm },
];

/** What a parser reads in a loop is written by recursion, which ends where the stack does. */
function writeAgain(mediaType: string, body: unknown, head: Head): string | undefined {
  try {
    return serialisers.find(({ fits }) => fits(mediaType))?.serialise(body, head);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new RequestError(
      "body-too-deep",
      "The body of the request was read before the gateway, and is nested too deeply, or too long, to be written again.",
    );
  }
}

function consumed(mediaType: string): BodyConsumedError {
  return new BodyConsumedError(
    "body-consumed",
    `The body of the request (${mediaType || "no content type"}) was read before the gateway by a middleware that kept nothing ` +
      "that can be sent again. Put that middleware behind the gateway, or keep the bytes in req.rawBody.",
  );
}

function unwritable(mediaType: string): BodyConsumedError {
  return new BodyConsumedError(
    "body-consumed",
    `The body of the request (${mediaType || "no content type"}) was read before the gateway, and what middleware has put in ` +
      "req.body cannot be written again under this type, which is neither JSON nor a form. Put that middleware behind the gateway, " +
      "keep the bytes in req.rawBody, or set req.body to a Buffer or a text.",
  );
}

function declareUtf8(headers: Headers): void {
  const type = headers["content-type"];
  if (typeof type === "string") headers["content-type"] = withUtf8(type);
}

function serialiseJson(body: unknown, head: Head): string | undefined {
  return typeof body === "string" ? writeTextOfJson(body, head) : writeJson(body);
}

function serialiseForm(body: unknown, head: Head): string | undefined {
  return typeof body === "object" && body !== null ? writeForm(body, head) : undefined;
}
