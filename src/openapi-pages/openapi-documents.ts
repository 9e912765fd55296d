import type { IncomingMessage, ServerResponse } from "node:http";
import { answerError, type Next } from "../answers/answer-error.ts";
import { type Live, liveOf } from "../compiling/live.ts";
import { GatewayError } from "../errors.ts";
import { type EnterApart, entranceOf } from "../exchange/enter-own-pages.ts";
import type { Gateway } from "../gateway.ts";
import { refuseUnknownOptions } from "../options/refuse-unknown-options.ts";
import { protect, refuse } from "../pages/answer.ts";
import { pathOf } from "../urls/path-and-query.ts";
import { createAnswers } from "./answers.ts";
import { createOwnRoute } from "./own-route.ts";

/** Who may read the documents of a gateway, and how. */
export type OpenApiDocumentsOptions = Readonly<{
  /** Whether there is a page that shows the documents and tries requests; `true` by default. */
  page?: boolean | undefined;
  /**
   * Whether anybody may read them, where `GlobalConfiguration` lets nobody in without a scheme; `false` by default. Address
   * lists and rate limits hold all the same.
   */
  allowAnonymous?: boolean | undefined;
}>;

/** Answers the requests for documents, and leaves all others to the next handler. */
export type OpenApiDocuments = (req: IncomingMessage, res: ServerResponse, next?: (error?: unknown) => void) => void;

const optionNames = { page: true, allowAnonymous: true } as const;

/**
 * Makes the handler of the OpenAPI documents of all services: each holds what clients of the gateway can call, as they can
 * call it. Mount it at a path of its own: `app.use("/swagger", openApiDocuments(gateway))`.
 */
export function openApiDocuments(gateway: Gateway, options: OpenApiDocumentsOptions = {}): OpenApiDocuments {
  const { live, enter } = requireGateway(gateway);
  refuseUnknownOptions(options, optionNames, "openApiDocuments()");
  const { page = true, allowAnonymous = false } = options;
  const ownRoute = createOwnRoute(live, allowAnonymous);
  const find = createAnswers(live, page);

  return function answerDocuments(req, res, next) {
    const answer = find(pathOf(req.url ?? ""));
    if (answer === undefined) {
      leave(req, res, next);
      return;
    }
    protect(res);
    if (req.method !== "GET" && req.method !== "HEAD") {
      res.setHeader("allow", "GET, HEAD");
      refuse(req, res, 405, "Only GET is answered here.");
      return;
    }
    const concurrent = (): number => live.present.concurrent;
    enter({ compiled: ownRoute, req, res, next, concurrent }, (exchange) => answer(exchange));
  };
}

function leave(req: IncomingMessage, res: ServerResponse, next: Next): void {
  if (next === undefined) answerError(new GatewayError("no-route", "There is no such document."), req, res);
  else next();
}

function requireGateway(gateway: Gateway): Readonly<{ live: Live; enter: EnterApart }> {
  const [live, enter] = [liveOf(gateway), entranceOf(gateway)];
  if (live !== undefined && enter !== undefined) return { live, enter };
  throw new GatewayError(
    "option-invalid",
    'openApiDocuments() takes what createGateway() returns: app.use("/swagger", openApiDocuments(gateway)).',
  );
}
