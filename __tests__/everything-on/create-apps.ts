import http, { type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import compression from "compression";
import express, { type RequestHandler } from "express";
import { type Gateway, inspector, type Logger, problemDetails, upgradeThrough } from "../../src/index.ts";
import { createGatewayEverythingOn, type GatewaySettings } from "./create-gateway.ts";

/** The apps around one gateway, by name. */
export type AppName = keyof ReturnType<typeof createApps>["apps"];

/** Body parsers as an app has them. */
export const bodyParsers: readonly RequestHandler[] = [express.json(), express.urlencoded({ extended: true })];

/** One gateway with everything on, and the apps in which it stands: behind compression, behind body parsers, and alone. */
export function createApps(settings: GatewaySettings) {
  const gateway = createGatewayEverythingOn(settings);
  const around = { inspect: inspector(gateway), logger: settings.logger };
  const apps = {
    compressing: createExpress(gateway, { ...around, trust: true, before: [compression({ threshold: 0 })] }),
    parsing: createExpress(gateway, { ...around, trust: "loopback", before: bodyParsers }),
    plain: createPlain(gateway, around.inspect),
  };
  return { gateway, apps };
}

/** A server for an app, which takes WebSockets. */
export function createServer(app: RequestListener, logger: Logger): http.Server {
  return http.createServer(app).on("upgrade", upgradeThrough(app, { logger }));
}

type Around = Readonly<{
  inspect: RequestListener;
  logger: Logger;
  trust: boolean | string;
  before: readonly RequestHandler[];
}>;

/** An Express app with the inspector and error pages around a gateway. */
export function createExpress(gateway: Gateway, { inspect, logger, trust, before }: Around): RequestListener {
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
