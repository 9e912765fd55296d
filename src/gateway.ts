import type { IncomingMessage, ServerResponse } from "node:http";
import { answerError, answerOrPassOn, type Next } from "./answers/answer-error.ts";
import { holdFor } from "./answers/end-assigned-streams-with-exchange.ts";
import type { GatewayConfig } from "./config/gateway-config.ts";
import type { CompiledRoute } from "./compiling/compiled-route.ts";
import { instancesUnknown } from "./discovery/wait-for-first-list.ts";
import { reportDefect } from "./unattended/defects.ts";
import { GatewayError } from "./errors.ts";
import { findRefusal } from "./admission/find-refusal.ts";
import type { Exchange } from "./exchange/exchange.ts";
import { judgePresence } from "./exchange/client-gone.ts";
import { createBegin } from "./exchange/begin-exchange.ts";
import { failExchange } from "./exchange/fail-exchange.ts";
import { leaveGateway } from "./exchange/leave-gateway.ts";
import { createEnterApart, rememberEntrance } from "./exchange/enter-own-pages.ts";
import { createAdmit } from "./exchange/admit.ts";
import { changeAnswer } from "./exchange/change-answer.ts";
import { createMiddlewareRunner } from "./exchange/run-middleware.ts";
import { letBodiesPass } from "./exchange/refuse-bodies-of-user-code.ts";
import { createSendPart } from "./exchange/send-part.ts";
import { noteNamingFailure } from "./capabilities/naming-service/naming-failures.ts";
import { isHttp2, refuseHttp2 } from "./admission/refuse-http2.ts";
import { createRespond, type OtherEndings, type Respond } from "./exchange/respond-to-client.ts";
import { createTellResponder } from "./exchange/tell-responder.ts";
import { giveBackConnection } from "./give-back-connection.ts";
import { createWaysOut } from "./exchange/ways-out.ts";
import { isBehindOthers, waitForTurn } from "./exchange/wait-for-turn.ts";
import { createTracker } from "./exchange/track-exchange.ts";
import { compileTrust, createPeerTrust } from "./addresses/trusted-peers.ts";
import type { Logger } from "./logging/logger.ts";
import type { GatewayHealth } from "./operating/health.ts";
import { type Live, type Purge, rememberLive } from "./compiling/live.ts";
import { prepareGateway } from "./operating/prepare-gateway.ts";
import type { Reload } from "./operating/reload.ts";
import { type MatchedRequest, matchRequest } from "./routing/match-request.ts";
import { checkOptions } from "./options/check-options.ts";
import type { GatewayOptions } from "./options/options.ts";
import type { CloseOptions } from "./options/read-grace.ts";
import type { Route } from "./route.ts";
import { memoryStore } from "./stores/memory-store.ts";
import type { StoreSurroundings } from "./stores/store-holder.ts";

/** The gateway as a handler for Express, Connect or a plain server. */
export type Gateway = ((req: IncomingMessage, res: ServerResponse, next?: (error?: unknown) => void) => void) & {
  /** By id; those of the present configuration. */
  readonly routes: ReadonlyMap<string, Route>;
  /** Replaces the configuration while requests go on. */
  reload: Reload;
  health: () => GatewayHealth;
  /** Answers that are kept to be given again. */
  readonly cache: Readonly<{ purge: Purge }>;
  close: (options?: CloseOptions) => Promise<void>;
};

/** Makes a gateway from a configuration that `parseConfig` or `loadConfig` returned. */
export function createGateway(config: GatewayConfig, options: GatewayOptions = {}): Gateway {
  return createGatewayWithin({ usual: memoryStore(), config, options });
}

type GatewayParts = StoreSurroundings & Readonly<{ config: GatewayConfig; options: GatewayOptions }>;

/** Makes a gateway in a process that knows another place for counts. */
export function createGatewayWithin({ config, options, ...surroundings }: GatewayParts): Gateway {
  checkOptions(options);
  const userCode = { beforeCall: seesResponses(options), behindCall: options.responder !== undefined };
  const runMiddleware = createMiddlewareRunner(options.middleware ?? []);
  const trust = compileTrust(options.trustProxy);
  const { live, logger, lifecycle, reload, health, purge } = prepareGateway(config, options, surroundings);
  const tellResponder = createTellResponder(options);
  const { track, trackCall, findOverload, holdPlace } = createTracker(lifecycle, live, logger);
  const peers = createPeerTrust(trust, logger);
  const begin = createBegin({ peers, seesResponses: userCode.beforeCall, holdPlace, logger });
  const proxy = createProxy(createRespond(options, lifecycle), logger);
  const admit = createAdmit({
    runMiddleware,
    trackCall,
    send: createSendPart(logger),
    logger,
  });
  const gateway = createEntrance(live, take);
  rememberEntrance(gateway, createEnterApart({ begin, track, findOverload, logger }));
  return publish(gateway, live, { reload, health, cache: { purge }, close: lifecycle.close });

  function take(found: MatchedRequest<CompiledRoute>, req: IncomingMessage, res: ServerResponse, next: Next): void {
    if (isHttp2(req)) return refuseHttp2(req, res, next, logger);
    const exchange = begin(found, req, res, next);
    if (exchange === undefined) return;
    const fail = (error: unknown): void => failExchange(exchange, error, next, logger);
    const waysOut = createWaysOut(exchange, {
      userCode,
      proxy: () => void proxy(exchange, { untrack, fail }),
      fail,
      leave() {
        untrack();
        leaveGateway(exchange);
        leaveUnmatched(req, res, next);
      },
    });
    const untrack = track(exchange, waysOut.failUpload);
    try {
      tellResponder(exchange, waysOut.fail);
      const refusal =
        findOverload(live.present.concurrent) ?? judgePresence(req) ?? findRefusal(exchange, found.target, req);
      if (refusal !== undefined) throw refusal;
      admit(exchange, waysOut, live.present);
    } catch (error) {
      fail(error);
    }
  }
}

type Proxy = (exchange: Exchange, endings: OtherEndings) => Promise<void>;

/** Prepares how requests that were let in get their answers. */
function createProxy(respond: Respond, logger: Logger): Proxy {
  return async function proxy(exchange, endings) {
    try {
      const answering = exchange.compiled.forward(exchange);
      // An answer that is there already is written at once: a wait costs as much as finding it.
      const upstream = answering instanceof Promise ? await answering : answering;
      // A handler may answer a call that has ended all the same, or for a client that has left: what it opens for that is closed.
      if (exchange.hasFailed || exchange.context.res.closed) {
        holdFor(upstream, exchange);
        return;
      }
      changeAnswer(upstream, exchange);
      exchange.observation?.answered();
      noteNamingFailure(upstream, exchange, logger);
      if (exchange.refuseOtherMethod !== undefined || exchange.parts !== undefined) letBodiesPass(exchange.context.res);
      await respond(upstream, exchange, endings);
    } catch (error) {
      endings.fail(error);
    }
  };
}

/** Middleware, a responder, and schemes that are made of middleware. */
function seesResponses({ middleware = [], responder, authentication }: GatewayOptions): boolean {
  return middleware.length > 0 || responder !== undefined || authentication !== undefined;
}

type Handler = (req: IncomingMessage, res: ServerResponse, next?: (error?: unknown) => void) => void;
type Take = (found: MatchedRequest<CompiledRoute>, req: IncomingMessage, res: ServerResponse, next: Next) => void;

/** Makes the handler of requests: each is taken by its route, or is none of the gateway's. */
function createEntrance(live: Live, take: Take): Handler {
  return function gateway(req, res, next) {
    giveBackConnection(req);
    const { index, unlisted } = live.present;
    const found = matchRequest(index, req) ?? unlisted?.find(req);
    // Whether there is a service of its name is not known yet.
    if (found instanceof Promise) void found.then(() => gateway(req, res, next)).catch(reportDefect);
    else if (typeof found !== "object") leaveUnmatched(req, res, next, found);
    // By its turn another configuration may be there.
    else if (isBehindOthers(req, res)) waitForTurn(req, res, () => gateway(req, res, next));
    else take(found, req, res, next);
  };
}

function publish(
  gateway: object,
  live: Live,
  members: Pick<Gateway, "reload" | "health" | "cache" | "close">,
): Gateway {
  rememberLive(gateway, live);
  Object.defineProperty(gateway, "routes", { get: () => live.present.routes, enumerable: true });
  return Object.assign(gateway as Gateway, members);
}

function leaveUnmatched(req: IncomingMessage, res: ServerResponse, next: Next, reason?: "unavailable"): void {
  if (reason !== undefined) answerOrPassOn(instancesUnknown(), req, res, next);
  else if (next !== undefined) next();
  else answerError(new GatewayError("no-route", "No route matches the request."), req, res);
}
