import http, { type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { keepPort } from "./hold-dead-port.ts";

/** A request as it arrived at an upstream. */
export type ArrivedRequest = {
  method: string;
  target: string;
  headers: http.IncomingHttpHeaders;
  rawHeaders: string[];
  body: Buffer;
};

export type Upstream = {
  port: number;
  origin: string;
  requests: ArrivedRequest[];
  server: http.Server;
  close: () => Promise<void>;
  /** Listens no more, and keeps its port from others until it is closed. */
  refuse: () => Promise<void>;
};

/** Starts a real upstream that keeps what arrives; by default it answers 200 with the target it was asked for. */
export async function startUpstream(answer: RequestListener = answerWithTarget): Promise<Upstream> {
  const requests: ArrivedRequest[] = [];
  const server = http.createServer((req, res) => {
    const chunks: Buffer[] = [];
    const arrived: ArrivedRequest = {
      method: req.method!,
      target: req.url!,
      headers: req.headers,
      rawHeaders: req.rawHeaders,
      body: Buffer.alloc(0),
    };
    requests.push(arrived);
    req.on("data", (chunk: Buffer) => chunks.push(chunk));
    req.on("end", () => (arrived.body = Buffer.concat(chunks)));
    answer(req, res);
  });
  // Longer than any test: an upstream that closes what was idle may meet a request on its way.
  server.keepAliveTimeout = 120_000;
  const port = await listen(server);
  const { refuse, letGo } = keepPort(port, () => closeServer(server));
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    requests,
    server,
    refuse,
    async close() {
      await letGo();
      await closeServer(server);
    },
  };
}

function answerWithTarget(req: IncomingMessage, res: ServerResponse): void {
  req.on("end", () => res.end(`${req.method} ${req.url}`)).resume();
}

export function listen(server: http.Server, host = "127.0.0.1"): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, host, () => resolve((server.address() as AddressInfo).port));
  });
}

export function closeServer(server: http.Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
