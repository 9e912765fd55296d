import type { IncomingMessage, ServerResponse } from "node:http";
import { findRefusal } from "./admit-request.ts";
import { answerError } from "./answer-error.ts";
import { beginExchange, type Exchange } from "./begin-exchange.ts";
import { checkOptions } from "./check-options.ts";
import type { GatewayConfig } from "./config/gateway-config.ts";
import { failExchange, type Next } from "./end-exchange.ts";
import { GatewayError } from "./errors.ts";
import type { GatewayHealth } from "./health.ts";
import { type Live, rememberLive } from "./live.ts";
import { matchRequest } from "./match/match-request.ts";
import { createMiddlewareRunner } from "./middleware.ts";
import { noteNamingFailure } from "./naming-failures.ts";
import type { GatewayOptions } from "./options.ts";
import { prepareGateway } from "./prepare-gateway.ts";
import type { Reload } from "./reload.ts";
import { createRespond } from "./respond-to-client.ts";
import type { Route } from "./route.ts";
import { createTracker } from "./track-exchange.ts";
import { createPeerTrust } from "./trust.ts";

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
