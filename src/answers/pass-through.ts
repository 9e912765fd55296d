import { type OutgoingHttpHeaders, type ServerResponse, STATUS_CODES, validateHeaderValue } from "node:http";
import { type AnswerFraming, applyFraming, canChunk, chooseFraming } from "./answer-framing.ts";
import { cutWhenHalfClosed } from "./cut-connection.ts";
import { endResponse } from "../bodies/responses/end-response.ts";
import { createStreamBody } from "../bodies/stream-body.ts";
import { type AnyResponse, takeBody, takeWhole, trailers, writeBody } from "./upstream-response.ts";
import { knownLength } from "../bodies/with-code/stream-for-gateway.ts";
import type { WrongLength } from "../bodies/body-of-told-length.ts";
import { GatewayError, UpstreamError } from "../errors.ts";
import type { Headers, UpstreamResponse } from "../delegating-handler.ts";
import { readAnswerTrailers } from "../headers/answer-trailers.ts";
import { copyForClient } from "../headers/client-answer-headers.ts";
import { lowerCaseOf } from "../headers/lower-case-of.ts";
import { appendVia, mergeHeaders } from "./merge-headers.ts";
import { isGone, requireBody } from "./require-body.ts";
import { holdToHead } from "./head-spoilt-by-middleware.ts";

/** What one answer is written with, besides the answer itself. */
type PassThroughSettings = Readonly<{
  res: ServerResponse;
  wantsTrailers: boolean;
  /** Headers that the answer tells besides, unless it has them already. */
  told?: Readonly<Record<string, string>> | undefined;
  via: boolean;
  /** Hears of a failure that shows when nobody waits for the answer any more. */
  fail: (error: unknown) => void;
}>;

/** Writes an answer to the client as it stands; rejects when its body breaks off, with the head already sent. */
export async function passThrough(upstream: UpstreamResponse, settings: PassThroughSettings): Promise<void> {
  const { res } = settings;
  const writable = upstream as AnyResponse;
  const { status } = upstream;
  if (!(status >= lowestFinal && status <= highest)) throw unwritable(new RangeError(`A status of ${status}.`));
  const { hasBody } = writeHead(writable, settings);
  if (!hasBody) {
    endWithoutBody(writable, res);
    return;
  }
  if (settings.wantsTrailers) addTrailersAtEnd(writable, res);
  return writable[writeBody] === undefined ? createStreamBody(upstream.body).writeTo(res) : writable[writeBody](res);
}

const lowestFinal = 200;
const highest = 999;

/** Writes the head of an answer to the client, together with what middleware has set on the response. */
export function writeHead(
  upstream: AnyResponse,
  { res, told, via, fail }: Omit<PassThroughSettings, "wantsTrailers">,
  ofConnection: Headers = {},
): AnswerFraming {
  const { statusText } = upstream;
  const status = Math.trunc(upstream.status);
  if (res.headersSent) throw misuse("begun another answer", "Middleware that answers does not call next().");
  const framing = chooseFraming(upstream, status, res);
  if (framing.hasBody) requireBody(upstream);
  const headers = Object.assign(copyForClient(upstream.headers), ofConnection);
  if (via) headers.via = appendVia(headers.via);
  mergeHeaders(headers, res);
  for (const name in told) if (headers[lowerCaseOf(name)] === undefined) headers[name] = told[name]!;
  try {
    // Middleware that listens for the head, as compression() does, must not see a head that Node refuses afterwards.
    if (statusText !== STATUS_CODES[status]) validateReason(statusText);
    applyFraming(framing, headers, res);
    if (framing.hasBody && res.getHeaderNames().length === 0) {
      // Node writes all headers together much faster, and leaves none of them on the response if it refuses one.
      res.writeHead(status, statusText, headers as OutgoingHttpHeaders);
    } else {
      setHeaders(headers, res);
      res.writeHead(status, statusText);
    }
  } catch (cause) {
    throw unwritable(cause);
  }
  if (!holdToHead(res, { ...framing, status }, (what) => fail(spoilt(what)))) throw spoilt("head");
  if (framing.hasBody && !canChunk(res)) cutWhenHalfClosed(res);
  return framing;
}

/** What somebody has spoilt of an answer: its head, or the length of its body. */
function spoilt(what: "head" | WrongLength): GatewayError {
  if (what === "head") return misuse("set a status or headers that do not tell where the answer ends", leaveFraming);
  return misuse(`made the body of the answer ${what} than its Content-Length`, leaveFraming);
}

const leaveFraming =
  "As an answer is written, leave Content-Length and Transfer-Encoding alone, or remove Content-Length where the body changes.";

function misuse(what: string, remedy: string): GatewayError {
  return new GatewayError("handler-misuse", `Middleware has ${what}. ${remedy}`);
}

/** A handler in JavaScript may leave the reason phrase out: Node has one for each status. */
function validateReason(statusText: unknown): void {
  if (typeof statusText === "string") validateHeaderValue("reason", statusText);
}

function setHeaders(headers: Headers, res: ServerResponse): void {
  for (const name in headers) res.setHeader(name, headers[name]!);
}

function unwritable(cause: unknown): UpstreamError {
  return new UpstreamError("upstream-ill-formed", "The upstream's answer cannot be passed on.", { cause });
}

/** Ends an answer that consists of its head; a body that exists nevertheless is not waited for. */
function endWithoutBody(upstream: AnyResponse, res: ServerResponse): void {
  endResponse(res, undefined);
  if (isGone(upstream)) return;
  if (upstream[takeWhole]?.() !== undefined) return;
  const body = upstream[takeBody]?.() ?? createStreamBody(upstream.body);
  if (upstream[knownLength] === 0) body.sendTo({ write: () => true, end: ignore, fail: ignore });
  else body.flow.abort(new Error("The client gets no body."));
}

function ignore(): void {
  // The client has its answer.
}

function addTrailersAtEnd(upstream: AnyResponse, res: ServerResponse): void {
  const end = res.end.bind(res);
  res.end = function endWithTrailers(...parts: unknown[]): ServerResponse {
    if (res.chunkedEncoding)
      res.addTrailers(readAnswerTrailers(upstream[trailers] ?? [], (name) => res.hasHeader(name)));
    return Reflect.apply(end, res, parts) as ServerResponse;
  };
}
