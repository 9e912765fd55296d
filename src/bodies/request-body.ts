import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { BodyConsumedError } from "../errors.ts";
import type { Headers } from "../delegating-handler.ts";
import type { Framing } from "./request-framing.ts";
import { toWireBody } from "./wire-body.ts";

/** What body parsers leave on a request. */
type ParsedRequest = IncomingMessage & { rawBody?: unknown; body?: unknown };

// These headers describe the client's bytes, which are not sent where a body is written anew.
const describesOldBytes = ["content-encoding", "content-md5", "digest", "content-digest", "repr-digest"];

/**
 * Takes the body of a request as it can still be sent: an unread stream as it is, one that a parser has read from what
 * the parser kept. The headers are framed to fit: no body, one length, or chunked.
 */
export function takeBody(req: IncomingMessage, framing: Framing, headers: Headers): Readable | Buffer | null {
  delete headers["content-length"];
  if (framing.kind === "none" || (framing.kind === "length" && framing.length === 0)) return null;
  // A body that flows already is gone before it could be sent.
  if (!req.readableDidRead && req.readableFlowing !== true)
    return toWireBody(framing.kind === "length" ? withLength(req, framing.text, headers) : req);
  return takeReadBody(req, framing, headers);
}

// Methods that may have a body: some servers answer 411 to a request that tells no length (RFC 9110, 8.6).
export const expectsContent: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH", "QUERY", "PROPFIND", "PROPPATCH"]);

/** Declares a length of 0 for a request without a body, where its method makes servers expect one. */
export function declareNoBody(method: string, headers: Headers): void {
  if (expectsContent.has(method)) headers["content-length"] = "0";
}

function withLength<Body>(body: Body, length: number | string, headers: Headers): Body {
  headers["content-length"] = String(length);
  return body;
}

function takeReadBody({ rawBody, body, readableEnded }: ParsedRequest, framing: Framing, headers: Headers): Buffer {
  if (!readableEnded) throw readByAnother();
  if (Buffer.isBuffer(rawBody)) return takeRawBody(rawBody, framing, headers);
  const bytes = serialise(body, headers);
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

// Body parsers hand over what they have decompressed: the coding holds only for as many bytes as the client sent.
function takeRawBody(rawBody: Buffer, framing: Framing, headers: Headers): Buffer {
  const isAsSent = framing.kind === "length" && framing.length === rawBody.length;
  if (!isAsSent && headers["content-encoding"] !== undefined)
    for (const name of describesOldBytes) delete headers[name];
  return withLength(rawBody, rawBody.length, headers);
}

function serialise(body: unknown, headers: Headers): Buffer {
  if (Buffer.isBuffer(body)) return body;
  const mediaType = String(headers["content-type"] ?? "")
    .split(";", 1)[0]!
    .trim()
    .toLowerCase();
  const text = typeof body === "string" ? body : serialisers.find(({ fits }) => fits.test(mediaType))?.serialise(body);
  if (text === undefined || (typeof body !== "string" && body === undefined)) throw consumed(mediaType);
  declareUtf8(headers);
  return Buffer.from(text);
}

const serialisers: readonly Readonly<{ fits: RegExp; serialise: (body: unknown) => string | undefined }>[] = [
  { fits: /^application\/(?:[\w.!#$&^+-]+\+)?json$/, serialise: (body) => JSON.stringify(body) },
  { fits: /^application\/x-www-form-urlencoded$/, serialise: serialiseForm },
];

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

/** Nested values as the usual parsers read them back: `a[b]=1`, repeats for a list, `c[]=2` for a list of one. */
function serialiseForm(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  return Object.entries(body)
    .flatMap(([name, value]) => formPairs(name, value))
    .join("&");
}

function formPairs(name: string, value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [`${formEncode(name)}=${formEncode(formText(value))}`];
  if (isListOfTexts(value)) return value.flatMap((item) => formPairs(value.length === 1 ? `${name}[]` : name, item));
  return Object.entries(value).flatMap(([key, member]) => formPairs(`${name}[${key}]`, member));
}

function formText(value: unknown): string {
  return typeof value === "string" ? value : value === null || value === undefined ? "" : JSON.stringify(value);
}

function isListOfTexts(value: object): value is unknown[] {
  return Array.isArray(value) && value.every((item) => typeof item !== "object");
}

function formEncode(text: string): string {
  return new URLSearchParams([["", text]]).toString().slice(1);
}
