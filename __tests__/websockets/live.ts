import { EventEmitter, once } from "node:events";
import http, { type IncomingMessage, type RequestListener } from "node:http";
import net from "node:net";
import { createServer as createTlsServer } from "node:https";
import express from "express";
import WebSocket, { type RawData, type ServerOptions, WebSocketServer } from "ws";
import { createGateway, type Gateway, type GatewayOptions, parseConfig, upgradeThrough } from "../../src/index.ts";
import { type RunningGateway, serve } from "../helpers/start-gateway.ts";
import { listen } from "../helpers/start-upstream.ts";

const cleanups: (() => Promise<unknown>)[] = [];

/** Closes what a test has started, the last first. */
export async function closeAll(): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
}

/** Remembers what is to be closed after the test. */
export function cleanUpLater(cleanup: () => Promise<unknown>): void {
  cleanups.push(cleanup);
}

/** An upstream that echoes every message, and what it saw. */
export type Echo = Readonly<{
  port: number;
  arrivals: IncomingMessage[];
  closes: number[];
  sockets: Set<WebSocket>;
  ordinary: IncomingMessage[];
}>;

type EchoOptions = Readonly<{ sockets?: ServerOptions; tls?: Readonly<{ key: Buffer; cert: Buffer }> }>;

/** Starts an upstream of WebSockets; ordinary requests get "ordinary". */
export async function startEcho({ sockets, tls }: EchoOptions = {}): Promise<Echo> {
  const arrivals: IncomingMessage[] = [];
  const closes: number[] = [];
  const ordinary: IncomingMessage[] = [];
  const answer: RequestListener = (req, res) => {
    ordinary.push(req);
    res.end("ordinary");
  };
  const server = tls === undefined ? http.createServer(answer) : createTlsServer(tls, answer);
  const webSockets = new WebSocketServer({ server, ...sockets });
  webSockets.on("connection", (socket, req) => {
    arrivals.push(req);
    socket.on("message", (message, isBinary) => socket.send(message, { binary: isBinary }));
    socket.on("close", (code) => closes.push(code));
    socket.on("error", () => undefined);
  });
  const port = await listen(server);
  cleanUpLater(async () => {
    for (const socket of webSockets.clients) socket.terminate();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { port, arrivals, closes, ordinary, sockets: webSockets.clients };
}

/** A client's connection whose bytes are kept. */
export async function connectRaw(port: number): Promise<{ socket: net.Socket; text: () => string }> {
  const socket = net.connect({ port, host: "127.0.0.1", noDelay: true });
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1"))).on("error", () => undefined);
  await once(socket, "connect");
  return { socket, text: () => text };
}

/** An upstream that speaks in bytes; what arrives is kept as text, by connection. */
export type TcpUpstream = Readonly<{
  port: number;
  server: net.Server;
  received: string[];
  sockets: net.Socket[];
  /** Waits until the first connection has brought bytes that end so. */
  endsWith: (ending: string) => Promise<void>;
}>;

/** Starts an upstream that speaks in bytes. */
export async function startTcp(connected: (socket: net.Socket) => void): Promise<TcpUpstream> {
  const received: string[] = [];
  const sockets: net.Socket[] = [];
  const arrivals = new EventEmitter();
  const server = net.createServer((socket) => {
    const index = sockets.push(socket) - 1;
    received[index] = "";
    socket
      .on("error", () => undefined)
      .on("data", (chunk: Buffer) => {
        received[index] = received[index]! + chunk.toString("latin1");
        arrivals.emit("bytes");
      });
    connected(socket);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  cleanUpLater(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  async function endsWith(ending: string): Promise<void> {
    while (!(received[0] ?? "").endsWith(ending)) await once(arrivals, "bytes");
  }
  return { port: (server.address() as net.AddressInfo).port, server, received, sockets, endsWith };
}

/** How a gateway for WebSockets is started. */
export type LiveParts = Readonly<{
  route?: object;
  global?: object;
  options?: GatewayOptions;
  app?: (gateway: Gateway) => RequestListener;
}>;

/** Makes a gateway whose route `/live/{room}` leads to a port by WebSocket. */
export function liveGateway(port: number, { route = {}, global = {}, options = {} }: LiveParts = {}): Gateway {
  const live = {
    UpstreamPathTemplate: "/live/{room}",
    DownstreamPathTemplate: "/rooms/{room}",
    DownstreamScheme: "ws",
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: port }],
    ...route,
  };
  const config = parseConfig({ Routes: [live], GlobalConfiguration: global }, { logger: false });
  return createGateway(config, { logger: false, ...options });
}

/** Starts an app around a gateway that takes upgrades; by default an Express 5 app with the gateway at its root. */
export async function startLive(port: number, parts: LiveParts = {}): Promise<RunningGateway & { url: string }> {
  const gateway = liveGateway(port, parts);
  const app = parts.app?.(gateway) ?? express().use(gateway);
  const running = await serve(app, gateway);
  running.server.on("upgrade", upgradeThrough(app, { logger: false }));
  cleanUpLater(running.close);
  return { ...running, url: `ws://127.0.0.1:${running.port}/live/main` };
}

/** Opens a WebSocket and waits until it stands. */
export async function open(
  url: string,
  options: WebSocket.ClientOptions = {},
  protocols: string[] = [],
): Promise<WebSocket> {
  const socket = new WebSocket(url, protocols, options);
  await once(socket, "open");
  return socket;
}

/** Sends a message and waits for the next one. */
export async function exchange(
  socket: WebSocket,
  message: string | Buffer,
): Promise<{ message: Buffer; isBinary: boolean }> {
  const next = once(socket, "message");
  socket.send(message);
  const [answer, isBinary] = (await next) as [Buffer, boolean];
  return { message: answer, isBinary };
}

/** A message of a client or server of ws, as text. */
export function textOf(message: RawData): string {
  return (message as Buffer).toString();
}

/** The close code of a WebSocket that closes by itself, or is closed by the other side. */
export async function closeCode(socket: WebSocket): Promise<number> {
  const [code] = (await once(socket, "close")) as [number];
  return code;
}

// Key and accept value of RFC 6455 1.3.
export const sampleKey = "dGhlIHNhbXBsZSBub25jZQ==";
export const sampleAccept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";

/** The answer of an upstream that accepts {@link sampleKey}. */
export const accepted = [
  "HTTP/1.1 101 Switching Protocols",
  "Upgrade: websocket",
  "Connection: Upgrade",
  `Sec-WebSocket-Accept: ${sampleAccept}`,
  "\r\n",
].join("\r\n");

/** A handshake as it goes over the wire; lines replace those of the same name, or take them away when empty. */
export function handshake(path = "/live/main", lines: Readonly<Record<string, string>> = {}, method = "GET"): string {
  const headers: Record<string, string> = {
    Host: "gateway.test",
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": sampleKey,
    ...lines,
  };
  const present = Object.entries(headers).filter(([, value]) => value !== "");
  return [`${method} ${path} HTTP/1.1`, ...present.map(([name, value]) => `${name}: ${value}`), "\r\n"].join("\r\n");
}

/** An answer as it came over the wire. */
export type RawAnswer = Readonly<{ status: number; head: string; rest: string }>;

/** Writes bytes, and reads all that comes until the other side ends. */
export async function askRaw(port: number, bytes: string | readonly string[]): Promise<RawAnswer> {
  const socket = net.connect({ port, host: "127.0.0.1", noDelay: true });
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1"))).on("error", () => undefined);
  for (const part of typeof bytes === "string" ? [bytes] : bytes) {
    socket.write(part, "latin1");
    await new Promise(setImmediate);
  }
  await once(socket, "close");
  const [head = "", ...rest] = text.split("\r\n\r\n");
  return { status: Number(head.split(" ")[1]), head, rest: rest.join("\r\n\r\n") };
}

/** Asks for a WebSocket that is refused; tells how. */
export async function refusal(
  url: string,
  options: WebSocket.ClientOptions = {},
): Promise<{ status: number; body: string }> {
  const socket = new WebSocket(url, options);
  const [, answer] = (await once(socket, "unexpected-response")) as [http.ClientRequest, IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return { status: answer.statusCode!, body: Buffer.concat(chunks).toString() };
}
