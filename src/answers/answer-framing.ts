import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Headers } from "../delegating-handler.ts";
import { type AnyResponse, toldLength } from "./upstream-response.ts";
import { knownLength } from "../bodies/with-code/stream-for-gateway.ts";

/** How an answer is delimited: whether a body follows its head, and the length that the head tells. */
export type AnswerFraming = Readonly<{ hasBody: boolean; length: number | undefined }>;

const lengthName = "content-length";
const codingName = "transfer-encoding";
const trailerName = "trailer";
const framingNames: ReadonlySet<string> = new Set([lengthName, codingName, trailerName]);

const nothing: AnswerFraming = { hasBody: false, length: undefined };

/**
 * Decides how an answer is delimited, by what is known of its body and by what the client asked. What a handler, a
 * responder, middleware or the upstream has written about it decides nothing: the next answer on the connection would
 * be read as the rest of this one.
 */
export function chooseFraming(answer: AnyResponse, status: number, res: ServerResponse): AnswerFraming {
  if (status < 200 || status === 204) return nothing;
  const isHead = isForHead(res);
  if (isHead || status === 304) return { hasBody: false, length: answer[toldLength]?.(status, isHead) };
  const length = answer[knownLength];
  // Middleware that announces trailers sends them behind chunks.
  return { hasBody: true, length: res.hasHeader(trailerName) && canChunk(res) ? undefined : length };
}

/** Writes a framing into the headers of an answer, which name no other one, and removes every other from the response. */
export function applyFraming({ hasBody, length }: AnswerFraming, headers: Headers, res: ServerResponse): void {
  if (length !== undefined) headers[lengthName] = String(length);
  else if (res.hasHeader(lengthName)) res.removeHeader(lengthName);
  const isChunked = hasBody && length === undefined && canChunk(res);
  // Node does not set `Transfer-Encoding` by itself any more once it has been removed.
  if (res.hasHeader(codingName)) {
    if (isChunked) res.setHeader("Transfer-Encoding", "chunked");
    else res.removeHeader(codingName);
  }
  if (!isChunked && res.hasHeader(trailerName)) res.removeHeader(trailerName);
}

/** Whether a header tells where an answer ends. */
export function tellsFraming(name: string): boolean {
  return framingNames.has(name.toLowerCase());
}

/** Removes from a response what describes the framing of an answer that will not be written. */
export function dropFraming(res: ServerResponse): void {
  for (const name of framingNames) if (res.hasHeader(name)) res.removeHeader(name);
}

/** Node notes for itself, before any middleware could give the request another method, that HEAD gets no body. */
type NotedResponse = { readonly _hasBody?: unknown };

/** What Node has noted about the body of an answer that has not begun. */
export function noteOfBody(res: ServerResponse): unknown {
  return (res as NotedResponse)._hasBody;
}

/** Takes back what Node notes of a 204 or 304 before it refuses the head: what is answered instead has a body. */
export function restoreNoteOfBody(res: ServerResponse, noted: unknown): void {
  Object.assign(res, { _hasBody: noted });
}

/** Whether the client asked by HEAD. */
export function isForHead(res: ServerResponse, { method }: IncomingMessage = res.req): boolean {
  const { _hasBody: hasBody } = res as NotedResponse;
  return typeof hasBody === "boolean" ? !hasBody : method === "HEAD";
}

/** Clients of HTTP/1.0 do not know chunks: where no length is known, the end of the connection delimits their answers. */
export function canChunk(res: ServerResponse): boolean {
  return res.useChunkedEncodingByDefault;
}

/** A `Content-Length` as a number; undefined for what is none. */
export function readLength(contentLength: OutgoingHttpHeaders[string]): number | undefined {
  return typeof contentLength === "string" && wholeNumber.test(contentLength) ? Number(contentLength) : undefined;
}

const wholeNumber = /^\d{1,15}$/;
