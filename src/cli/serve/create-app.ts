import type { IncomingMessage, ServerResponse } from "node:http";
import { endResponse } from "../../bodies/responses/end-response.ts";
import { takeInFewPieces } from "../../bodies/pieces/take-in-few-pieces.ts";
import { GatewayError } from "../../errors.ts";
import { liveOf } from "../../compiling/live.ts";
import { limitRest } from "../../bodies/uploads/discard-rest-of-upload.ts";
import type { Gateway } from "../../gateway.ts";
import type { OpenApiDocuments } from "../../openapi-pages/openapi-documents.ts";
import type { Inspector } from "../../inspector/inspector.ts";
import type { Logger } from "../../logging/logger.ts";
import { problemDetails } from "../../responders/error-handler.ts";
import { redactUnmatched } from "../../secrets/redact.ts";
import { originForm, readRequestTarget } from "../../urls/request-target.ts";
import { createAnswerHealth } from "./answer-health.ts";
import type { ServeSettings } from "./settings.ts";

/** What a request runs through. */
type App = (req: IncomingMessage, res: ServerResponse, next?: (error?: unknown) => void) => void;

/** What a server does with its requests. */
type Apps = Readonly<{
  app: App;
  /** Answers a request that expects something else of the server than that it goes on. */
  refuseExpectation: App;
}>;

/** Answers a request that has failed. */
type Fail = (error: unknown, req: IncomingMessage, res: ServerResponse) => void;

/** Answers a request if it is meant for it, and says whether it was. */
type Answer = (req: IncomingMessage, res: ServerResponse) => boolean;

/** What an app is made of. */
export type AppParts = Readonly<{
  settings: Pick<ServeSettings, "health" | "log">;
  gateway: Gateway;
  inspect: Inspector | undefined;
  documents: OpenApiDocuments | undefined;
  serverState: Readonly<{ isDraining: boolean }>;
  logger: Logger;
}>;

/** Health checks, the inspector and OpenAPI documents first, then the gateway; what no route takes gets 404. */
export function createApp({ settings, gateway, inspect, documents, serverState, logger }: AppParts): Apps {
  const { status } = liveOf(gateway)!;
  const answerFailure = problemDetails({ logger });
  const fail: Fail = (error, req, res) => answerFailure(error, req, res, begun);
  const answerHealth = createAnswerHealth(settings.health, () => (serverState.isDraining ? "closing" : status()));
  const answerInspector = inspect === undefined ? () => false : mount(inspectorPath, inspect, fail);
  const answerDocuments = documents === undefined ? () => false : mount(documentsPath, documents, fail);
  const logUnmatched = settings.log === "requests" ? createLogUnmatched(gateway, logger) : () => undefined;

  return { app, refuseExpectation };

  function app(...[req, res, next]: Parameters<App>): void {
    sendElsewhere(res);
    if ([answerHealth, answerInspector, answerDocuments].some((answer) => answer(req, res))) limitBody(req);
    else gateway(req, res, leave);

    function leave(error?: unknown): void {
      if (error === undefined) {
        logUnmatched(req, { status: 404, error: "no-route" });
        limitBody(req);
      }
      if (next !== undefined) next(error);
      else fail(error ?? new GatewayError("no-route", "No route matches the request."), req, res);
    }
  }

  function refuseExpectation(...[req, res]: Parameters<App>): void {
    sendElsewhere(res);
    logUnmatched(req, { status: 417 });
    limitBody(req);
    endResponse(res.writeHead(417), undefined);
  }

  /** A client is to send its next request elsewhere once the server stops. */
  function sendElsewhere(res: ServerResponse): void {
    if (serverState.isDraining) res.shouldKeepAlive = false;
  }
}

function begun(): void {
  // An answer that has begun is whose who began it.
}

/** The gateway looks after the bodies of its own requests. */
function limitBody(req: IncomingMessage): void {
  const { "content-length": length, "transfer-encoding": coding } = req.headers;
  if (coding !== undefined) takeInFewPieces(req);
  if (length !== undefined || coding !== undefined) limitRest(req);
}

/** Where the inspector is. */
export const inspectorPath = "/_gateway";

/** Where the OpenAPI documents are. */
const documentsPath = "/swagger";

type Mounted = (req: IncomingMessage, res: ServerResponse, leave: (error?: unknown) => void) => void;

/** Mounts a handler as Express would; a request that it leaves is none of its own. */
function mount(path: string, handle: Mounted, fail: Fail): Answer {
  return function handleBelowPath(req, res) {
    const { url = "" } = req;
    const target = readRequestTarget(url);
    const rest = target?.path.startsWith(path) === true ? originForm(target).slice(path.length) : undefined;
    if (rest === undefined || !/^([/?]|$)/.test(rest)) return false;
    const outcome = { isLeft: false };
    const mounted = Object.assign(req, { originalUrl: url, url: rest.startsWith("/") ? rest : `/${rest}` });
    handle(mounted, res, leave);
    if (outcome.isLeft) Object.assign(req, { originalUrl: undefined, url });
    return !outcome.isLeft;

    function leave(error?: unknown): void {
      if (error === undefined) outcome.isLeft = true;
      else fail(error, req, res);
    }
  };
}

type Outcome = Readonly<{ status: number; error?: string }>;

/** Observers see only the requests that routes take; this logs the others. */
function createLogUnmatched(gateway: Gateway, logger: Logger): (req: IncomingMessage, outcome: Outcome) => void {
  return function logUnmatched({ method = "", url = "" }, outcome) {
    const path = redactUnmatched(url, liveOf(gateway)?.present.config);
    logger.info({ method, path, ...outcome }, `${method} ${path} ${outcome.status}`);
  };
}
