import http, { type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import compression from "compression";
import express, { type RequestHandler } from "express";
import {
  createAnswer,
  createGateway,
  type DelegatingHandler,
  type Gateway,
  type GatewayHandler,
  inspector,
  type Logger,
  metadataHeader,
  metadataResponder,
  parseConfig,
  problemDetails,
  type RequestObserver,
  upgradeThrough,
} from "../../src/index.ts";
import type { Engine } from "../../src/proxy/engine.ts";
import { createHttpProxyMiddlewareEngine } from "../../src/proxy/engines/http-proxy-middleware.ts";
import { undiciEngine } from "../../src/undici.ts";
import { configEverythingOn, type RouteSettings } from "./routes.ts";

/** The engines by name. */
export const engineNames = ["http-proxy-middleware", "undici"] as const;

/** What one gateway with everything on is made of. */
export type AppSettings = RouteSettings &
  Readonly<{
    engine: (typeof engineNames)[number];
    responder: "header" | "json";
    observers: readonly RequestObserver[];
    logger: Logger;
  }>;

/** The apps around one gateway, by name. */
export type AppName = keyof ReturnType<typeof createApps>["apps"];

const engines: Readonly<Record<AppSettings["engine"], () => Engine>> = {
  "http-proxy-middleware": createHttpProxyMiddlewareEngine,
  undici: undiciEngine,
};
const responders = { header: metadataHeader, json: metadataResponder } as const;
const select = (key: string): boolean => key !== "db.password";

/** One gateway with everything on, and the apps in which it stands: behind compression, behind body parsers, and alone. */
export function createApps(settings: AppSettings) {
  const gateway = createGateway(parseEverythingOn(settings), {
    engine: engines[settings.engine](),
    responder: responders[settings.responder]({ select }),
    observers: settings.observers,
    logger: settings.logger,
    middleware: [emptyPlaceholder],
    handlers: [answerByHandler],
    limits: { body: 1_000_000, upload: 10, sockets: 100, idle: 30 },
    via: true,
  });
  const inspect = inspector(gateway);
  const { logger } = settings;
  const apps = {
    compressing: createExpress({ gateway, inspect, logger, trust: true, before: [compression({ threshold: 0 })] }),
    parsing: createExpress({
      ...{ gateway, inspect, logger, trust: "loopback" },
      before: [express.json(), express.urlencoded({ extended: true })],
    }),
    plain: createPlain(gateway, inspect),
  };
  return { gateway, apps };
}

/** The configuration as it is parsed, for reloads, too. */
export function parseEverythingOn(settings: RouteSettings): ReturnType<typeof parseConfig> {
  return parseConfig(configEverythingOn(settings), { logger: false });
}

/** A server for an app, which takes WebSockets. */
export function createServer(app: RequestListener, logger: Logger): http.Server {
  return http.createServer(app).on("upgrade", upgradeThrough(app, { logger }));
}

type ExpressParts = Readonly<{
  gateway: Gateway;
  inspect: RequestListener;
  logger: Logger;
  trust: boolean | string;
  before: readonly RequestHandler[];
}>;

function createExpress({ gateway, inspect, logger, trust, before }: ExpressParts): RequestListener {
  const app = express();
  app.set("trust proxy", trust);
  app.use(nameCase);
  app.use("/_gateway", inspect);
  app.use(...before);
  app.use(gateway);
  app.use((_req, res) => void res.status(404).end("unmatched"));
  app.use(problemDetails({ logger }));
  return app;
}

function createPlain(gateway: Gateway, inspect: RequestListener): RequestListener {
  return function plain(req, res) {
    nameCase(req, res, () => undefined);
    if (!req.url!.startsWith("/_gateway/")) {
      gateway(req, res);
      return;
    }
    req.url = req.url!.slice("/_gateway".length);
    inspect(req, res);
  };
}

/** Whatever answers, the client reads which of its requests this app took it for. */
function nameCase(req: IncomingMessage, res: ServerResponse, next: () => void): void {
  const number = req.headers["x-case"];
  if (typeof number === "string" && /^\d+$/.test(number)) res.setHeader("X-Asked", number);
  next();
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
