import { createServer } from "node:http";
import express from "express";
import { createGateway, parseConfig, type Responder } from "../src/index.ts";
import { undiciEngine } from "../src/undici.ts";
import { listen, type Listening, type Settings } from "./contender.ts";

const metadata = {
  roles: "reader, writer",
  retries: "3",
  enabled: "yes",
  owner: '{"team":"orders","mail":"orders@example.org"}',
};

/** A gateway in Express with one route that carries metadata, and any responder. */
export function listenWith(responder: Responder | undefined, settings: Settings): Promise<Listening> {
  const route = {
    UpstreamPathTemplate: "/{path}",
    DownstreamPathTemplate: "/{path}",
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: settings.upstreamPort }],
    Metadata: metadata,
  };
  const gateway = createGateway(parseConfig({ Routes: [route] }), {
    ...(responder === undefined ? {} : { responder }),
    ...(settings.engine === "undici" ? { engine: undiciEngine() } : {}),
  });
  const app = express();
  app.use(gateway);
  return listen(createServer(app), settings);
}
