import { createServer, type Server } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import express, { type Express, type Request, type Response } from "express";
import { WebSocketServer } from "ws";
import { downstreamDocument } from "./downstream-document.ts";
import type { Traces } from "./traces.ts";

// Written by hand: a number beyond 2^53 and a repeated member, neither of which survives JSON.parse.
const jsonText =
  '{"order":9007199254740993,"lines":[{"item":"teapot","price":24.90},{"item":"cup","price":6.50}],"note":"first","note":"last"}';

const htmlText = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8" /><title>An HTML answer</title></head>
  <body><h1>An HTML answer</h1><p>The gateway passed it on untouched.</p></body>
</html>
`;

const slowMilliseconds = 3_000;

/** What the fixed host answers under /answers/. */
const answers: Readonly<Record<string, Readonly<{ type: string; coding?: string; body: Buffer }>>> = {
  json: { type: "application/json", body: Buffer.from(jsonText) },
  "json-brotli": { type: "application/json", coding: "br", body: brotliCompressSync(jsonText) },
  "json-gzip": { type: "application/json", coding: "gzip", body: gzipSync(jsonText) },
  "json-zstd": { type: "application/json", coding: "zstd", body: zstdCompressSync(jsonText) },
  "json-deflate": { type: "application/json", coding: "deflate", body: deflateSync(jsonText) },
  html: { type: "text/html; charset=utf-8", body: Buffer.from(htmlText) },
  binary: { type: "application/octet-stream", body: Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)) },
};

/** An ordinary service at a fixed host and port, not known to any naming service; at /echo it speaks by WebSocket. */
export function createDownstreamServer(name: string, traces: Traces): Server {
  const server = createServer(createDownstream(name, traces));
  const sockets = new WebSocketServer({ noServer: true });
  sockets.on("connection", (socket) => {
    socket.on("message", (message, isBinary) => socket.send(message, { binary: isBinary }));
    // A client that sends no WebSocket frames is cut off; without a listener its error would end the process.
    socket.on("error", () => undefined);
  });
  server.on("upgrade", (req, socket, head) => {
    if (req.url === "/echo") sockets.handleUpgrade(req, socket, head, (opened) => sockets.emit("connection", opened));
    else socket.destroy();
  });
  return server;
}

function createDownstream(name: string, traces: Traces): Express {
  const app = express();
  app.disable("x-powered-by");
  app.use((req, _res, next) => {
    traces.noteArrival(name, req);
    next();
  });
  app.get("/slow", async (_req, res) => {
    await wait(slowMilliseconds, undefined, { ref: false });
    res.json({ service: name, note: "too late" });
  });
  app.get("/openapi.json", (_req, res) => void res.json(downstreamDocument));
  app.get("/answers/:name", sendAnswer);
  app.use(express.text({ type: "*/*" }), (req, res) => {
    const headers = Object.fromEntries(Object.entries(req.headers).filter(([header]) => header.startsWith("x-")));
    const body = typeof req.body === "string" && req.body !== "" ? { body: req.body } : {};
    res.json({ service: name, received: `${req.method} ${req.originalUrl}`, headers, ...body });
  });
  return app;
}

function sendAnswer(req: Request<{ name: string }>, res: Response): void {
  const answer = answers[req.params.name];
  if (answer === undefined) {
    res.sendStatus(404);
    return;
  }
  if (answer.coding !== undefined) res.setHeader("content-encoding", answer.coding);
  res.setHeader("content-type", answer.type);
  res.setHeader("content-length", answer.body.length);
  res.end(answer.body);
}
