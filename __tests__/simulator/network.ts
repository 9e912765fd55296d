import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { connect, createServer as createTcpServer, type AddressInfo, type Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { holdDeadPort } from "../helpers/hold-dead-port.ts";
import { createNamingSimulator, type NamingSimulatorOptions } from "../../src/simulator/index.ts";

/** What a replica received. */
export type Arrival = {
  method: string;
  url: string;
  rawHeaders: string[];
  headers: IncomingMessage["headers"];
  body: string;
};

type Closable = { close: () => Promise<void> };

const opened: Closable[] = [];

/** Closes everything that was opened since the last call; for afterEach. */
export async function closeAll(): Promise<void> {
  await Promise.all(opened.splice(0).map((one) => one.close()));
}

/** A simulator on a free port with short time limits. */
export async function startSimulator(options: NamingSimulatorOptions) {
  const timeouts = { request: 5, connect: 2, backoff: 0.01, ...options.timeouts };
  const simulator = createNamingSimulator({ port: 0, ...options, timeouts });
  opened.push(simulator);
  const { url, port } = await simulator.listen();
  return { ...simulator, url, port };
}

/** A replica: a real HTTP server that notes what arrives and answers its own name, or as told. */
export async function startReplica(name: string, answer: RequestListener = (_, res) => res.end(name)) {
  const arrivals: Arrival[] = [];
  const server = createServer((req, res) => {
    const { method = "", url = "", rawHeaders, headers } = req;
    const arrived = (body: Buffer) => {
      arrivals.push({ method, url, rawHeaders, headers, body: body.toString() });
      answer(req, res);
    };
    // A body that breaks off is not answered.
    buffer(req).then(arrived, () => undefined);
  });
  const url = await listen(server);
  return { url, server, arrivals };
}

/** A server that does to each connection what the listener does, for answers that no HTTP server gives. */
export async function startTcp(onConnection: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    onConnection(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  opened.push({
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A URL where nothing listens. */
export async function deadUrl(): Promise<string> {
  const { port, release } = await holdDeadPort();
  opened.push({ close: release });
  return `http://127.0.0.1:${port}`;
}

async function listen(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  opened.push({
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Writes bytes on a connection and reads all that comes until it closes. */
export async function exchangeBytes(port: number, bytes: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.write(bytes, "latin1");
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  // A dropped connection may come as a reset.
  socket.on("error", () => undefined);
  await new Promise((resolve) => socket.on("close", resolve));
  return Buffer.concat(chunks).toString("latin1");
}

/** Sends one request with the target byte for byte; `null` when the connection closed without an answer. */
export async function ask(
  port: number,
  target: string,
  options: { method?: string; headers?: string[]; body?: string } = {},
) {
  const { method = "GET", headers = [], body = "" } = options;
  const length = body === "" ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const lines = [
    `${method} ${target} HTTP/1.1`,
    "Host: gateway.test",
    "Connection: close",
    ...length,
    ...headers,
    "",
    body,
  ];
  return parseAnswer(await exchangeBytes(port, lines.join("\r\n")));
}

function parseAnswer(text: string) {
  const match = /^HTTP\/1\.1 (\d{3}) ([^\r]*)\r\n(.*?)\r\n\r\n(.*)$/s.exec(text);
  if (match === null) return null;
  const headerLines = match[3]!.split("\r\n");
  const headers = Object.fromEntries(
    headerLines.map((line) => [
      line.slice(0, line.indexOf(":")).toLowerCase(),
      line.slice(line.indexOf(":") + 1).trim(),
    ]),
  ) as Record<string, string>;
  return { status: Number(match[1]), reason: match[2], headers, headerLines, body: match[4] };
}
