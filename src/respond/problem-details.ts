import type { IncomingMessage, ServerResponse } from "node:http";
import { answerError } from "../answer-error.ts";

/** An error handler as Express and Connect take them: told apart by its four parameters. */
export type ErrorHandler = (
  error: unknown,
  req: IncomingMessage,
  res: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/** Makes an error handler that answers every error as `application/problem+json`. */
export function problemDetails(): ErrorHandler {
  return function answerProblemDetails(error, req, res, next) {
    if (res.headersSent) next(error);
    else answerError(error, req, res);
  };
}
