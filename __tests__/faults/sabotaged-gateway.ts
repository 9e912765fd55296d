/** A gateway of each engine in one process, sabotaged by the code around them: `sabotaged-gateway.ts <logger> <port of the upstream>`. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { createGateway, type GatewayHandler, type Logger, parseConfig, upgradeThrough } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";

const [logger, upstreamPort] = process.argv.slice(2) as [string, string];

function refuse(): never {
  throw new Error("sabotage");
}

/** What middleware leaves behind, to throw when the gateway comes to use it. */
const sabotages: Readonly<Record<string, (req: IncomingMessage, res: ServerResponse) => void>> = {
  "res.write": (_req, res) => (res.write = refuse),
  "res.end": (_req, res) => (res.end = refuse),
  "res.writeHead": (_req, res) => (res.writeHead = refuse),
  "res.setHeader": (_req, res) => (res.setHeader = refuse),
  "res.flushHeaders": (_req, res) => (res.flushHeaders = refuse),
  "res.off": (_req, res) => (res.off = refuse),
  // Its client may take as long as it likes to read the answer, in which others can write into it.
  "the end": (_req, res) => res.once("prefinish", () => res.write("late")),
  "req.pipe": (req) => (req.pipe = refuse),
};

const spoil: GatewayHandler = (req, res, next) => {
  sabotages[String(req.headers["x-spoil"])]?.(req, res);
  next();
};

const log = logger === "throws" ? refuse : () => Promise.reject(new Error("sabotage"));
const badLogger = { error: log, warn: log, info: log, debug: log } as unknown as Logger;
const observers = [{ begin: () => ({ sending: refuse, ended: refuse, left: refuse }) }, { begin: refuse }];

const uncaught: string[] = [];
process.on("uncaughtException", (error) => uncaught.push(error.stack ?? String(error)));
process.on("unhandledRejection", (error) => uncaught.push(`rejected: ${String(error)}`));
process.on("warning", (warning) => uncaught.push(`warned: ${String(warning)}`));
process.on("disconnect", () => process.exit());
process.on("message", () => process.send?.(uncaught.splice(0)));

const target = { Host: "127.0.0.1", Port: Number(upstreamPort) };
const route = { UpstreamPathTemplate: "/{path}", DownstreamPathTemplate: "/{path}", DownstreamHostAndPorts: [target] };
const config = parseConfig({ Routes: [route] }, { logger: false });
const ports: Record<string, number> = {};
for (const { name, create } of engines) {
  const gateway = createGateway(config, { middleware: [spoil], logger: badLogger, observers, engine: create() });
  await listen(name, gateway);
  // Its own error handler answers, from a listener.
  await listen(`${name} in Express`, express().set("env", "test").use(gateway));
  await listen(`${name} behind middleware`, express().use(spoil, gateway));
}
process.send?.(ports);

async function listen(name: string, app: RequestListener): Promise<void> {
  const server = createServer(app).listen(0, "127.0.0.1");
  server.on("upgrade", upgradeThrough(app, { logger: badLogger }));
  await once(server, "listening");
  ports[name] = (server.address() as AddressInfo).port;
}
