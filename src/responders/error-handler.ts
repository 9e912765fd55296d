import type { IncomingMessage, ServerResponse } from "node:http";
import { answerError } from "../answers/answer-error.ts";
import { describeProblem } from "../answers/problem-details.ts";
import { GatewayError } from "../errors.ts";
import { chooseLogger, type Logger } from "../logging/logger.ts";
import type { Route } from "../route.ts";
import { refuseUnknownOptions } from "../options/refuse-unknown-options.ts";

/** An error handler as Express and Connect take them: told apart by its four parameters. */
type ErrorHandler = (
  error: unknown,
  req: IncomingMessage,
  res: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/** What {@link problemDetails} takes. */
export type ProblemDetailsOptions = Readonly<{
  /** Where unexpected errors are told, as Express would tell them; `console` by default, `false` for nowhere. */
  logger?: Logger | false | undefined;
}>;

const lowestUnexpected = 500;

/** Makes an error handler that answers every error as `application/problem+json`. */
export function problemDetails(options: ProblemDetailsOptions = {}): ErrorHandler {
  refuseUnknownOptions(options, { logger: true }, "problemDetails()");
  const logger = chooseLogger(options.logger);

  return function answerProblemDetails(error, req, res, next) {
    if (res.headersSent) {
      next(error);
      return;
    }
    // The gateway has logged its own errors.
    const isUnexpected = !(error instanceof GatewayError) && describeProblem(error).status >= lowestUnexpected;
    if (isUnexpected) logger.error({ ...routeOf(res), err: error }, "A handler failed.");
    answerError(error, req, res);
  };
}

/** The route of a gateway whose code has failed; other handlers of the app have none. */
function routeOf({ locals }: ServerResponse & { locals?: { route?: Partial<Route> } }): { route?: string } {
  const id = locals?.route?.id;
  return typeof id === "string" ? { route: id } : {};
}
