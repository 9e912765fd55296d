import type { IncomingMessage, ServerResponse } from "node:http";
import { answerError } from "./answer/answer-error.ts";
import type { GatewayConfig } from "./config/gateway-config.ts";
import { GatewayError } from "./errors.ts";
import { findRefusal } from "./flow/admit-request.ts";
import { beginExchange, type Exchange } from "./flow/begin-exchange.ts";
import { failExchange, type Next } from "./flow/end-exchange.ts";
import { createMiddlewareRunner } from "./flow/middleware.ts";
import { noteNamingFailure } from "./flow/naming-failures.ts";
import { createRespond } from "./flow/respond-to-client.ts";
import { createTracker } from "./flow/track-exchange.ts";
import { createPeerTrust } from "./flow/trust.ts";
import type { GatewayHealth } from "./generation/health.ts";
import { type Live, rememberLive } from "./generation/live.ts";
import { prepareGateway } from "./generation/prepare-gateway.ts";
import type { Reload } from "./generation/reload.ts";
import { matchRequest } from "./match/match-request.ts";
import { checkOptions } from "./options/check-options.ts";
import type { GatewayOptions } from "./options/options.ts";
import type { Route } from "./route.ts";

/** The gateway as a handler for Express, Connect or a plain server. */
export type Gateway = ((req: IncomingMessage, res: ServerResponse, next?: (error?: unknown) => void) => void) & {
  /** By id; those of the present configuration. */
  readonly routes: ReadonlyMap<string, Route>;
  /** Replaces the configuration while requests go on. */
  reload: Reload;
  health: () => GatewayHealth;
  close: (options?: Readonly<{ grace?: number }>) => Promise<void>;
};

/** Makes a gateway from a configuration that `parseConfig` or `loadConfig` returned. */
export function createGateway(config: GatewayConfig, options: GatewayOptions = {}): Gateway {
  checkOptions(options);
  const runMiddleware = createMiddlewareRunner(options.middleware ?? []);
  const isTrusted = createPeerTrust(options.trustProxy);
  const { live, logger, lifecycle, reload, health } = prepareGateway(config, options);
  const respond = createRespond(options, lifecycle);
  const tracker = createTracker(lifecycle, live, logger);
  return publish(gateway, live, { reload, health, close: lifecycle.close });

  function gateway(req: IncomingMessage, res: ServerResponse, next?: (error?: unknown) => void): void {
    const { index, concurrent } = live.generation;
    const found = matchRequest(index, req);
    if (found === undefined) {
      leaveUnmatched(req, res, next);
      return;
    }
    const exchange = beginExchange(found, req, res, isTrusted(req));
    const leave = tracker.track(exchange);
    try {
      options.responder?.matched?.(exchange.context);
      const refusal = tracker.findOverload(concurrent) ?? findRefusal(exchange, found.target, req);
      if (refusal !== undefined) throw refusal;
    } catch (error) {
      failExchange(exchange, error, next, logger);
      return;
    }
    runMiddleware(exchange, {
      proxy: () => void proxy(exchange, leave, next),
      fail: (error) => failExchange(exchange, error, next, logger),
      leave() {
        leave();
        exchange.observation?.left();
        exchange.restore();
        leaveUnmatched(req, res, next);
      },
    });
  }

  async function proxy(exchange: Exchange, leave: () => void, next: Next): Promise<void> {
    try {
      const upstream = await exchange.compiled.forward(exchange);
      exchange.observation?.answered();
      noteNamingFailure(upstream, exchange, logger);
      await respond(upstream, exchange, { leave, fail });
    } catch (error) {
      fail(error);
    }

    function fail(error: unknown): void {
      failExchange(exchange, error, next, logger);
    }
  }
}

function publish(gateway: object, live: Live, members: Pick<Gateway, "reload" | "health" | "close">): Gateway {
  rememberLive(gateway, live);
  Object.defineProperty(gateway, "routes", { get: () => live.generation.routes, enumerable: true });
  return Object.assign(gateway as Gateway, members);
}

function leaveUnmatched(req: IncomingMessage, res: ServerResponse, next: Next): void {
  if (next !== undefined) next();
  else answerError(new GatewayError("no-route", "No route matches the request."), req, res);
}
