import type { IncomingMessage, ServerResponse } from "node:http";
import { closing, findRefusal, overloaded } from "./admit-request.ts";
import { beginExchange, type Exchange, exchangeIsOver } from "./begin-exchange.ts";
import type { Cancellation } from "./cancellation.ts";
import { type CompiledRoute, compileRoutes } from "./compile-routes.ts";
import { checkDeclaredMetadata } from "./check-declared-metadata.ts";
import { type GatewayConfig, globalConfigOf } from "./config/gateway-config.ts";
import type { GlobalConfig } from "./config/schema.ts";
import { cutConnection, failExchange, type Next } from "./end-exchange.ts";
import { GatewayError, RequestError } from "./errors.ts";
import type { Responder } from "./exchange.ts";
import { createLifecycle } from "./lifecycle.ts";
import { chooseLogger, type Logger } from "./logger.ts";
import { matchRequest } from "./match/match-request.ts";
import { createRouteIndex, type RouteIndex } from "./match/route-index.ts";
import { createMiddlewareRunner } from "./middleware.ts";
import type { GatewayOptions } from "./options.ts";
import { createHttpProxyMiddlewareEngine } from "./proxy/engines/http-proxy-middleware.ts";
import { answerError } from "./respond/answer-error.ts";
import { passThrough } from "./respond/pass-through.ts";
import type { Route } from "./route.ts";
import { createPeerTrust } from "./trust.ts";

/** The gateway as a handler for Express, Connect or a plain server. */
export type Gateway = ((req: IncomingMessage, res: ServerResponse, next?: (error?: unknown) => void) => void) & {
  readonly routes: ReadonlyMap<string, Route>;
  close: (options?: Readonly<{ grace?: number }>) => Promise<void>;
};

/** Makes a gateway from a configuration that `parseConfig` or `loadConfig` returned. */
export function createGateway(config: GatewayConfig, options: GatewayOptions = {}): Gateway {
  const global = requireParsed(config);
  const logger = chooseLogger(options.logger);
  const isTrusted = createPeerTrust(options.trustProxy);
  const runMiddleware = createMiddlewareRunner(options.middleware ?? []);
  const engine = options.engine ?? createHttpProxyMiddlewareEngine();
  const compiled = compileRoutes(config.routes, global, options, engine);
  const routes = compiled.map(({ route }) => route);
  checkDeclaredMetadata(options.metadata ?? {}, routes, logger);
  const index = indexRoutes(compiled, logger);
  const lifecycle = createLifecycle(engine);
  const respond = createRespond(options);
  const load = { running: 0, limit: global.Limits?.Concurrent ?? options.limits?.concurrent ?? Infinity };

  return Object.assign(gateway, { routes: new Map(routes.map((route) => [route.id, route])), close: lifecycle.close });

  function gateway(req: IncomingMessage, res: ServerResponse, next?: (error?: unknown) => void): void {
    const found = matchRequest(index, req);
    if (found === undefined) {
      leaveUnmatched(req, res, next);
      return;
    }
    const exchange = beginExchange(found, req, res, isTrusted(req));
    const leave = track(exchange);
    try {
      options.responder?.matched?.(exchange.context);
      const refusal = refusalOf() ?? findRefusal(exchange, found.target, req);
      if (refusal !== undefined) throw refusal;
    } catch (error) {
      failExchange(exchange, error, next, logger);
      return;
    }
    runMiddleware(exchange, {
      proxy: () => void proxy(exchange, next),
      fail: (error) => failExchange(exchange, error, next, logger),
      leave() {
        leave();
        exchange.restore();
        leaveUnmatched(req, res, next);
      },
    });
  }

  async function proxy(exchange: Exchange, next: Next): Promise<void> {
    try {
      const upstream = await exchange.compiled.forward(exchange);
      await respond(upstream, exchange);
    } catch (error) {
      failExchange(exchange, error, next, logger);
    }
  }

  function refusalOf(): GatewayError | undefined {
    if (lifecycle.isClosing()) return closing();
    return load.running > load.limit ? overloaded() : undefined;
  }

  /** Follows an exchange to the end of its response, or until it leaves the gateway again. */
  function track({ cancellation, compiled: { route, load: routeLoad }, context: { res } }: Exchange): () => void {
    const running = { destroy: () => cutConnection(res) };
    lifecycle.begin(running);
    load.running += 1;
    routeLoad.running += 1;
    res.once("close", end);
    return leave;

    function end(): void {
      if (res.writableFinished) cancellation.cancel(exchangeIsOver);
      else noteClientGone(cancellation, route.id);
      leave();
    }

    function leave(): void {
      res.off("close", end);
      load.running -= 1;
      routeLoad.running -= 1;
      lifecycle.end(running);
    }
  }

  function noteClientGone({ cancel }: Cancellation, route: string): void {
    const error = new RequestError("client-gone", "The client went away before the answer was complete.");
    if (cancel(error)) logger.info({ route, code: error.code, status: error.status }, error.message);
  }
}

function requireParsed(config: GatewayConfig): GlobalConfig {
  const global = globalConfigOf(config);
  if (global !== undefined) return global;
  throw new GatewayError(
    "not-a-config",
    "createGateway() takes what parseConfig() or loadConfig() returns: createGateway(parseConfig({ Routes: [...] })) or " +
      'createGateway(await loadConfig("gateway.json")). Mount the result: app.use(createGateway(config)), not app.use(createGateway).',
  );
}

const unusualShapeCount = 64;

function indexRoutes(compiled: readonly CompiledRoute[], logger: Logger): RouteIndex<CompiledRoute> {
  const index = createRouteIndex(
    compiled.map((value) => {
      const { RouteIsCaseSensitive, UpstreamHttpMethod, UpstreamHost, Priority } = value.route.config;
      return {
        value,
        template: value.template,
        methods: UpstreamHttpMethod,
        host: UpstreamHost,
        caseSensitive: RouteIsCaseSensitive ?? false,
        priority: Priority ?? 1,
      };
    }),
  );
  if (index.shapeCount > unusualShapeCount) {
    logger.warn({ shapes: index.shapeCount }, "The routes' templates have many shapes: finding a route takes longer with each.");
  }
  return index;
}

function leaveUnmatched(req: IncomingMessage, res: ServerResponse, next: Next): void {
  if (next !== undefined) next();
  else answerError(new GatewayError("no-route", "No route matches the request."), req, res);
}

function createRespond({ responder, via = false }: GatewayOptions): Respond {
  if (responder === undefined) return write;
  return function respondByResponder(upstream, exchange) {
    return responder(upstream, exchange.context, () => write(upstream, exchange));
  };

  function write(upstream: Parameters<Responder>[0], { context: { res }, wantsTrailers }: Exchange): Promise<void> {
    return passThrough(upstream, { res, wantsTrailers, via });
  }
}

type Respond = (upstream: Parameters<Responder>[0], exchange: Exchange) => void | Promise<void>;
