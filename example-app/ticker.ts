import { createServer, type Server } from "node:http";
import { WebSocketServer } from "ws";
import type { Traces } from "./traces.ts";

const tickMilliseconds = 1_000;

/** A live service: who opens a WebSocket gets a number that grows every second; everybody else gets the number. */
export function createTickerServer(name: string, traces: Traces): Server {
  let count = 0;
  const server = createServer((req, res) => {
    traces.noteArrival(name, req);
    res.setHeader("content-type", "application/json").end(JSON.stringify({ service: name, count }));
  });
  const sockets = new WebSocketServer({ server });
  sockets.on("connection", (socket, req) => {
    traces.noteArrival(name, req);
    socket.on("error", () => undefined).send(String(count));
  });
  const timer = setInterval(() => {
    count += 1;
    for (const socket of sockets.clients) socket.send(String(count));
  }, tickMilliseconds);
  server.once("close", () => clearInterval(timer));
  return server;
}
