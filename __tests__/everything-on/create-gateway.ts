import {
  createAnswer,
  createGateway,
  type DelegatingHandler,
  type Gateway,
  type GatewayConfig,
  type GatewayHandler,
  type Logger,
  metadataHeader,
  metadataResponder,
  type RequestObserver,
} from "../../src/index.ts";
import type { Engine } from "../../src/forwarding/engines/engine.ts";
import { createHttpProxyMiddlewareEngine } from "../../src/forwarding/engines/http-proxy-middleware.ts";
import { undiciEngine } from "../../src/undici.ts";

/** The engines by name. */
export const engineNames = ["http-proxy-middleware", "undici"] as const;

/** What one gateway with everything on is made of. */
export type GatewaySettings = Readonly<{
  config: GatewayConfig;
  engine: (typeof engineNames)[number];
  responder: keyof typeof responders;
  observers: readonly RequestObserver[];
  logger: Logger;
  /** Runs behind what everything has. */
  middleware?: readonly GatewayHandler[];
}>;

const engines: Readonly<Record<GatewaySettings["engine"], () => Engine>> = {
  "http-proxy-middleware": createHttpProxyMiddlewareEngine,
  undici: undiciEngine,
};
const responders = { header: metadataHeader, json: metadataResponder } as const;
const select = (key: string): boolean => key !== "db.password";

/** A gateway with a responder, observers, middleware, handlers and limits. */
export function createGatewayEverythingOn(settings: GatewaySettings): Gateway {
  const { config, engine, responder, observers, logger, middleware = [] } = settings;
  return createGateway(config, {
    engine: engines[engine](),
    responder: responders[responder]({ select }),
    observers,
    logger,
    middleware: [emptyPlaceholder, ...middleware],
    handlers: [answerByHandler],
    limits: { body: 1_000_000, upload: 10, sockets: 100, idle: 30 },
    via: true,
  });
}

/** Middleware may do so, and what watches has to live with it. */
const emptyPlaceholder: GatewayHandler = (_req, res, next) => {
  if (res.locals.route.upstreamPathTemplate === "/emptied/{token}") {
    Object.assign(res.locals.placeholders, { token: undefined });
  }
  next();
};

const answerByHandler: DelegatingHandler = async (_outgoing, next, { req, route }) => {
  if (route.upstreamPathTemplate !== "/by-handler/{x}") return next();
  const body = JSON.stringify({ case: String(req.headers["x-case"]) });
  return createAnswer({ status: 200, headers: { "content-type": "application/json", "content-length": "3" }, body });
};
