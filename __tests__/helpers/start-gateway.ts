import http, { type RequestListener } from "node:http";
import express from "express";
import { createGateway, type Gateway, type GatewayOptions, parseConfig } from "../../src/index.ts";
import { closeServer, listen } from "./start-upstream.ts";

export type RunningGateway = {
  port: number;
  origin: string;
  gateway: Gateway;
  server: http.Server;
  close: () => Promise<void>;
};

/** Listens with any app around a gateway. */
export async function serve(app: RequestListener, gateway: Gateway): Promise<RunningGateway> {
  const server = http.createServer(app);
  const port = await listen(server);
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    gateway,
    server,
    async close() {
      await gateway.close({ grace: 0 });
      await closeServer(server);
    },
  };
}

/** A gateway in an Express 5 app at the root, with a quiet logger. */
export async function startGateway(config: unknown, options: GatewayOptions = {}): Promise<RunningGateway> {
  const gateway = createGateway(parseConfig(config, { logger: false }), { logger: false, ...options });
  const app = express();
  app.use(gateway);
  return serve(app, gateway);
}
