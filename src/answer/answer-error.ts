import type { IncomingMessage, ServerResponse } from "node:http";
import { STATUS_CODES } from "node:http";
import { GatewayError } from "../errors.ts";

type HttpError = Partial<
  Readonly<{ status: number; statusCode: number; expose: boolean; message: string; headers: Record<string, string> }>
>;

/** An error as a client may see it: RFC 9457, with the stable code of a gateway error. */
export type Problem = Readonly<{ type: "about:blank"; title: string; status: number; detail?: string; code?: string }>;

/** What a client is told of an error: nothing of one that is not meant for it. */
export function describeProblem(error: unknown): Problem {
  const { status, statusCode, expose, message } = (error ?? {}) as HttpError;
  const claimed = status ?? statusCode ?? 500;
  const shown = Number.isInteger(claimed) && claimed >= 400 && claimed <= 599 ? claimed : 500;
  return {
    type: "about:blank",
    title: STATUS_CODES[shown] ?? "Error",
    status: shown,
    ...((expose ?? shown < 500) && message !== undefined ? { detail: message } : {}),
    ...(error instanceof GatewayError ? { code: error.code } : {}),
  };
}

/** Answers an error as `application/problem+json`. */
export function answerError(
  error: unknown,
  req: IncomingMessage,
  res: ServerResponse,
  end: (body: Buffer | undefined) => void = (body) => res.end(body),
): void {
  const problem = describeProblem(error);
  const body = Buffer.from(JSON.stringify(problem));
  for (const name of ["content-encoding", "content-range", "etag", "last-modified", "accept-ranges"])
    res.removeHeader(name);
  setHeaders(res, (error as HttpError | undefined)?.headers);
  res.setHeader("content-type", "application/problem+json; charset=utf-8");
  res.setHeader("content-length", body.length);
  res.statusCode = problem.status;
  res.statusMessage = problem.title;
  end(req.method === "HEAD" ? undefined : body);
}

/** Any error may come here: one whose headers cannot be sent is answered without them. */
function setHeaders(res: ServerResponse, headers: HttpError["headers"]): void {
  for (const [name, value] of Object.entries(headers ?? {})) {
    try {
      res.setHeader(name, value);
    } catch {
      continue;
    }
  }
}
