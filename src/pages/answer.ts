import type { IncomingMessage, ServerResponse } from "node:http";
import { keepInTurn } from "../answers/pipelined-answers-in-order.ts";

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

/** Answers a whole text. */
export function answerText(
  req: IncomingMessage,
  res: ServerResponse,
  answer: Readonly<{ status?: number; type: string; text: string }>,
): void {
  const body = Buffer.from(answer.text);
  res.statusCode = answer.status ?? 200;
  res.setHeader("content-type", `${answer.type}; charset=utf-8`);
  res.setHeader("content-length", body.length);
  keepInTurn(res);
  res.end(req.method === "HEAD" ? undefined : body);
}

/** Answers a value as JSON. */
export function answerJson(req: IncomingMessage, res: ServerResponse, value: unknown, status = 200): void {
  answerText(req, res, { status, type: "application/json", text: JSON.stringify(value) });
}

/** Refuses a request, with the reason as text. */
export function refuse(req: IncomingMessage, res: ServerResponse, status: number, reason: string): void {
  answerText(req, res, { status, type: "text/plain", text: `${reason}\n` });
}
