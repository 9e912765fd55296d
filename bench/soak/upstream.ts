import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";

/** An upstream that does what the path asks for. */
export type SoakUpstream = Readonly<{
  port: number;
  /** What its parser refused of that which the gateway sent. */
  violations: string[];
  /** Ends connections that wait for their next request. */
  rest: () => void;
  close: () => void;
}>;

type Behaviour = (req: IncomingMessage, res: ServerResponse, size: number) => void;

const block = Buffer.alloc(65_536, "x");
// The longest head that a gateway sends is longer than Node's limit for one.
const longestHead = 100_000;

const behaviours: Readonly<Record<string, Behaviour>> & Readonly<{ up: Behaviour }> = {
  down: (req, res, size) => sendBytes(req, res, size),
  text(req, res, size) {
    res.setHeader("content-type", "text/plain");
    sendBytes(req, res, size);
  },
  up(req, res) {
    let received = 0;
    req.on("data", (chunk: Buffer) => (received += chunk.length));
    req.on("end", () => answerJson(req, res, received));
  },
  resets: (req) => req.socket.resetAndDestroy(),
  cut(req, res) {
    res.writeHead(200, { "content-length": 100_000 });
    res.write(block.subarray(0, 1_000), () => req.socket.resetAndDestroy());
  },
  stall: (req) => req.resume(),
};

/** Starts it; `/down/<bytes>`, `/text/<bytes>`, `/up`, `/resets`, `/cut` and `/stall` are its paths, all others are JSON. */
export function startSoakUpstream(): Promise<SoakUpstream> {
  const violations: string[] = [];
  const server = http.createServer({ maxHeaderSize: longestHead }, (req, res) => {
    const [, kind = "", size] = req.url!.split(/[/?]/);
    const number = req.headers["x-case"];
    if (number !== undefined) res.setHeader("x-case", number);
    res.on("error", () => undefined);
    (behaviours[kind] ?? behaviours.up)(req, res, Number(size));
  });
  const sockets = new WebSocketServer({ noServer: true });
  sockets.on("connection", (socket) => {
    socket.on("error", () => undefined);
    socket.on("message", (text, isBinary) => socket.send(text, { binary: isBinary }));
  });
  server.on("upgrade", (req, socket, head) => {
    socket.on("error", () => undefined);
    sockets.handleUpgrade(req, socket, head, (connection) => sockets.emit("connection", connection, req));
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    // A gateway whose client has left ends its request wherever it is.
    if (error.code?.startsWith("HPE_") && error.code !== "HPE_INVALID_EOF_STATE") violations.push(String(error));
    socket.destroy();
  });
  server.keepAliveTimeout = 2_000;
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      resolve({ port, violations, rest: () => server.closeIdleConnections(), close });
    });
  });

  function close(): void {
    server.close();
    server.closeAllConnections();
    for (const socket of sockets.clients) socket.terminate();
  }
}

function answerJson(req: IncomingMessage, res: ServerResponse, received: number): void {
  const body = JSON.stringify({ case: req.headers["x-case"], received });
  res.writeHead(200, { "content-type": "application/json", "content-length": body.length }).end(body);
}

function sendBytes(req: IncomingMessage, res: ServerResponse, size: number): void {
  let left = size;
  req.resume();
  res.setHeader("content-length", size);
  writeMore();

  function writeMore(): void {
    while (left > block.length) {
      left -= block.length;
      if (!res.write(block)) {
        res.once("drain", writeMore);
        return;
      }
    }
    res.end(block.subarray(0, left));
  }
}
