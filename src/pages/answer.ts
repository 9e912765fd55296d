import type { IncomingMessage, ServerResponse } from "node:http";
import { keepInTurn } from "../answers/pipelined-answers-in-order.ts";
import { endResponse } from "../bodies/responses/end-response.ts";
import { createRepeatedBody } from "../bodies/whole-body.ts";

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** What every answer carries: no other site may use it, and nothing of it is kept. */
const protectiveHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": policy,
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  // Compressing middleware would hold the traffic back.
  "cache-control": "no-store, no-transform",
};

/** Sets the headers that every answer of a page of the gateway carries. */
export function protect(res: ServerResponse): void {
  for (const [name, value] of Object.entries(protectiveHeaders)) res.setHeader(name, value);
}

type AnswerHead = Readonly<{ status?: number; type: string }>;

/** Answers a whole text. */
export function answerText(
  req: IncomingMessage,
  res: ServerResponse,
  { text, ...head }: AnswerHead & Readonly<{ text: string }>,
): void {
  const bytes = Buffer.from(text);
  setHead(res, { ...head, bytes });
  endResponse(res, req.method === "HEAD" ? undefined : bytes);
}

type WholeAnswer = AnswerHead & Readonly<{ bytes: Buffer }>;

/** Answers the bytes of a whole text, which other answers may share; resolves when they are written. */
export async function answerBytes(req: IncomingMessage, res: ServerResponse, whole: WholeAnswer): Promise<void> {
  setHead(res, whole);
  if (req.method === "HEAD") endResponse(res, undefined);
  else await createRepeatedBody(whole.bytes).writeTo(res);
}

function setHead(res: ServerResponse, { status = 200, type, bytes }: WholeAnswer): void {
  res.statusCode = status;
  res.setHeader("content-type", `${type}; charset=utf-8`);
  res.setHeader("content-length", bytes.length);
  keepInTurn(res);
}

/** Answers a value as JSON. */
export function answerJson(req: IncomingMessage, res: ServerResponse, value: unknown, status = 200): void {
  answerText(req, res, { status, type: "application/json", text: JSON.stringify(value) });
}

/** Refuses a request, with the reason as text. */
export function refuse(req: IncomingMessage, res: ServerResponse, status: number, reason: string): void {
  answerText(req, res, { status, type: "text/plain", text: `${reason}\n` });
}
