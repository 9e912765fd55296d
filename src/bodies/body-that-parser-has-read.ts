import { BodyConsumedError, RequestError } from "../errors.ts";
import type { Headers } from "../delegating-handler.ts";
import type { Framing } from "./request-framing.ts";
import { writeJson } from "./write-json.ts";
import type { IncomingMessage } from "node:http";
import { isStillCoded, type KeptBody } from "./is-still-coded.ts";
import { writeForm } from "./write-form.ts";

/** What body parsers leave on a request. */
type ParsedRequest = IncomingMessage & { rawBody?: unknown; body?: unknown };

// These headers describe the client's bytes, which are not sent where a body is written anew.
const describesOldBytes = ["content-encoding", "content-md5", "digest", "content-digest", "repr-digest"];

/** Tells the length of a body. */
export function withLength<Body>(body: Body, length: number | string, headers: Headers): Body {
  headers["content-length"] = String(length);
  return body;
}

/** Takes a body that is no stream any more: as the parser has kept it, or written anew from what it has made of it. */
export function takeReadBody(req: ParsedRequest, framing: Framing, headers: Headers): Buffer {
  const { rawBody, body, readableEnded } = req;
  if (!readableEnded) throw readByAnother();
  if (Buffer.isBuffer(rawBody)) return takeRawBody({ bytes: rawBody, framing, parsed: body }, headers);
  const bytes = isOfEmptyBody(req) ? Buffer.alloc(0) : serialise(body, headers, framing);
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

/**
 * Whether a body is what parsers make of chunks without a byte: an empty object, or nothing. An empty object that middleware
 * has put there cannot be told from it; anything else that it has put there is sent.
 */
function isOfEmptyBody({ body, readableDidRead }: ParsedRequest): boolean {
  if (readableDidRead) return false;
  return body === undefined || (isRecord(body) && Object.keys(body).length === 0);
}

function isRecord(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function serialise(body: unknown, headers: Headers, framing: Framing): Buffer {
  if (Buffer.isBuffer(body)) return body;
  const mediaType = String(headers["content-type"] ?? "")
    .split(";", 1)[0]!
    .trim()
    .toLowerCase();
  const text = typeof body === "string" ? body : writeAgain(mediaType, body, framing);
  if (text === undefined || (typeof body !== "string" && body === undefined)) throw consumed(mediaType);
  declareUtf8(headers);
  return Buffer.from(text);
}

type Serialiser = (body: unknown, framing: Framing) => string | undefined;

const serialisers: readonly Readonly<{ fits: RegExp; serialise: Serialiser }>[] = [
  { fits: /^application\/(?:[\w.!#$&^+-]+\+)?json$/, serialise: writeJson },
  { fits: /^application\/x-www-form-urlencoded$/, serialise: serialiseForm },
];

/** What a parser reads in a loop is written by recursion, which ends where the stack does. */
function writeAgain(mediaType: string, body: unknown, framing: Framing): string | undefined {
  try {
    return serialisers.find(({ fits }) => fits.test(mediaType))?.serialise(body, framing);
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

function declareUtf8(headers: Headers): void {
  const type = headers["content-type"];
  if (typeof type === "string") headers["content-type"] = type.replace(/(;\s*charset=)("[^"]*"|[^;\s]+)/i, "$1utf-8");
}

function serialiseForm(body: unknown, framing: Framing): string | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  return writeForm(body, framing.kind === "length" ? framing.length : undefined);
}
