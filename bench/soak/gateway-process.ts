import http from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { createGateway, parseConfig, problemDetails } from "../../src/index.ts";
import { undiciEngine } from "../../src/undici.ts";
import type { ProcessUsage } from "./gateway.ts";

// The gateway has a process of its own, so that its memory and its handles are nobody else's.
const [upstreamPort, engineName] = process.argv.slice(2);
const disturbances: string[] = [];
process.on("warning", (warning) => disturbances.push(String(warning)));
process.on("unhandledRejection", (reason) => disturbances.push(String(reason)));
process.on("uncaughtException", (error) => disturbances.push(error.stack ?? String(error)));

const gateway = createGateway(
  parseConfig({
    Routes: [
      {
        UpstreamPathTemplate: "/{everything}",
        DownstreamPathTemplate: "/{everything}",
        DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: Number(upstreamPort) }],
        Timeout: 5,
      },
    ],
  }),
  { logger: false, ...(engineName === "undici" ? { engine: undiciEngine() } : {}) },
);
const app = express();
app.use(gateway);
app.use(problemDetails());
const server = http.createServer(app);
server.listen(0, "127.0.0.1", () => process.send!((server.address() as AddressInfo).port));

process.on("message", () => {
  for (let round = 0; round < 3; round += 1) globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  const resources = process.getActiveResourcesInfo();
  const handles = resources.filter((kind) => !kind.startsWith("TCPSocket"));
  const usage: ProcessUsage = {
    rss,
    heap: heapUsed + external,
    handles,
    sockets: resources.length - handles.length,
    disturbances,
  };
  process.send!(usage);
});
