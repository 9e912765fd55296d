import { createServer } from "node:http";
import express, { type RequestHandler } from "express";
import {
  createGateway,
  type GatewayHandler,
  type GatewayOptions,
  metadataResponder,
  parseConfig,
} from "../../src/index.ts";
import { undiciEngine } from "../../src/undici.ts";
import { type Listening, listen, type Settings } from "../contender.ts";
import { createConfig } from "../gateway-config.ts";

/** This package: either engine, in Express or on a plain server. */
export function start(settings: Settings): Promise<Listening> {
  const options = {
    ...between[settings.between](),
    ...(settings.engine === "undici" ? { engine: undiciEngine() } : {}),
  };
  const gateway = createGateway(parseConfig(createConfig(settings.routes, settings.upstreamPort)), options);
  if (settings.mount === "node:http") return listen(createServer(gateway), settings);
  const app = express();
  if (settings.mount !== "Express") app.disable("x-powered-by");
  app.use(gateway);
  return listen(createServer(app), settings);
}

const pass: RequestHandler = (_req, _res, next) => next();

const readMetadata: GatewayHandler = (_req, res, next) => {
  const { getMetadata } = res.locals.route;
  const roles = getMetadata("roles", "string[]", []);
  if (getMetadata("retries", "int") === 3 && getMetadata("enabled", "bool") && roles.length === 2) next();
  else res.sendStatus(500);
};

const between: Readonly<Record<Settings["between"], () => GatewayOptions>> = {
  nothing: () => ({}),
  middleware: () => ({ middleware: [pass, pass, pass] }),
  metadata: () => ({ middleware: [readMetadata] }),
  responder: () => ({ responder: metadataResponder() }),
};
