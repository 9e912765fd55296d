import http from "node:http";
import net from "node:net";

export type Answer = {
  status: number;
  statusText: string;
  headers: http.IncomingHttpHeaders;
  rawHeaders: string[];
  body: Buffer;
};

export type RequestParts = {
  port: number;
  method?: string;
  path: string;
  headers?: http.OutgoingHttpHeaders;
  body?: string | Buffer;
  agent?: http.Agent;
};

/** Sends one request whose target goes out byte for byte, and reads the whole answer. */
export function request({ port, method = "GET", path, headers = {}, body, agent }: RequestParts): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const req = http.request({ host: "127.0.0.1", port, method, path, headers, ...(agent ? { agent } : {}) }, (res) => {
      const chunks: Buffer[] = [];
      res.on("data", (chunk: Buffer) => chunks.push(chunk));
      res.on("error", reject);
      res.on("end", () =>
        resolve({
          status: res.statusCode!,
          statusText: res.statusMessage!,
          headers: res.headers,
          rawHeaders: res.rawHeaders,
          body: Buffer.concat(chunks),
        }),
      );
    });
    req.on("error", reject);
    req.end(body);
  });
}

/** Writes bytes to a port and reads until the other side closes. */
export function sendBytes(port: number, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, "127.0.0.1");
    let received = "";
    socket.setEncoding("latin1");
    socket.on("data", (text: string) => (received += text));
    socket.on("error", (error: NodeJS.ErrnoException) => (received === "" ? reject(error) : resolve(received)));
    socket.on("close", () => resolve(received));
    socket.write(bytes);
  });
}
