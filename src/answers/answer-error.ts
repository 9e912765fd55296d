import type { IncomingMessage, ServerResponse } from "node:http";
import { endResponse } from "../bodies/responses/end-response.ts";
import { ConfiguredRefusal } from "../errors.ts";
import { ownValue } from "../headers/own-value.ts";
import { dropFraming, isForHead, tellsFraming } from "./answer-framing.ts";
import { cutConnection } from "./cut-connection.ts";
import { ensureHead } from "./write-error-head-anyway.ts";
import { keepInTurn } from "./pipelined-answers-in-order.ts";
import { describeProblem, problemType, readHttpError } from "./problem-details.ts";
import { holdToHead } from "./head-spoilt-by-middleware.ts";

/** The next handler of the app; absent on a plain server. */
export type Next = ((error?: unknown) => void) | undefined;

/** Hands an error on to the app. The gateway answers it where there is no app, and where its answer is configured. */
export function answerOrPassOn(error: unknown, req: IncomingMessage, res: ServerResponse, next: Next): void {
  if (next === undefined || error instanceof ConfiguredRefusal) answerError(error, req, res);
  else {
    ensureHead(res);
    next(error);
  }
}

/** Answers an error as `application/problem+json`. */
export function answerError(
  error: unknown,
  req: IncomingMessage,
  res: ServerResponse,
  end: (body: Buffer | undefined) => void = (body) => endResponse(res, body),
): void {
  // A handler has begun another answer, and ends it itself.
  if (res.headersSent) return;
  keepInTurn(res);
  const problem = describeProblem(error);
  const text = error instanceof ConfiguredRefusal ? error.text : undefined;
  const body = Buffer.from(text ?? JSON.stringify(problem));
  for (const name of ["content-encoding", "content-range", "etag", "last-modified", "accept-ranges"])
    res.removeHeader(name);
  setHeaders(res, readHttpError(error).headers);
  dropFraming(res);
  const type = text === undefined ? problemType : "text/plain";
  res.setHeader("content-type", `${type}; charset=utf-8`);
  const hasBody = !isForHead(res, req);
  // A 204 that Node has refused leaves a response that writes no body, as that to HEAD does.
  res.setHeader("content-length", hasBody || req.method === "HEAD" ? body.length : 0);
  // HTTP/2 has no reason phrases: Node warns of one.
  if (!(req.httpVersionMajor > 1)) res.statusMessage = problem.title;
  if (writeWholeHead(res, problem.status, hasBody ? body.length : 0)) end(hasBody ? body : undefined);
}

/** Writes the head of an error; where middleware spoils it, the connection is cut, since there is no answer any more. */
function writeWholeHead(res: ServerResponse, status: number, length: number): boolean {
  ensureHead(res);
  res.writeHead(status);
  const isRight = holdToHead(res, { hasBody: true, length, status }, () => cutConnection(res));
  if (!isRight) cutConnection(res);
  return !res.destroyed;
}

/** A header that Node refuses is left out, and what would frame the answer: the error may be that of an HTTP client. */
function setHeaders(res: ServerResponse, headers: Record<string, string> | undefined): void {
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (tellsFraming(name)) continue;
    try {
      res.setHeader(name, ownValue(value));
    } catch {
      continue;
    }
  }
}
