import { Agent, createServer } from "node:http";
import express from "express";
import { createProxyMiddleware } from "http-proxy-middleware";
import { type Listening, listen, type Settings } from "../contender.ts";

/** Express and http-proxy-middleware as one writes it by hand, with kept connections. */
export function start(settings: Settings): Promise<Listening> {
  const app = express();
  const agent = new Agent({ keepAlive: true });
  app.use(
    createProxyMiddleware({
      target: `http://127.0.0.1:${settings.upstreamPort}`,
      agent,
      changeOrigin: true,
      xfwd: true,
    }),
  );
  return listen(createServer(app), settings);
}
