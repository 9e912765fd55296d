import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** An upstream that does what the path asks for. */
export type SoakUpstream = Readonly<{ port: number; close: () => void }>;

const block = Buffer.alloc(65_536, "x");

const behaviours: Readonly<Record<string, (req: IncomingMessage, res: ServerResponse, size: number) => void>> = {
  down(req, res, size) {
    req.resume();
    res.setHeader("content-length", size);
    writeBlocks(res, size);
  },
  up(req, res) {
    let received = 0;
    req.on("data", (chunk: Buffer) => (received += chunk.length));
    req.on("end", () => res.end(String(received)));
  },
  reset: (req) => req.socket.resetAndDestroy(),
  cut(req, res) {
    res.writeHead(200, { "content-length": 100_000 });
    res.write(block.subarray(0, 1_000), () => req.socket.resetAndDestroy());
  },
  stall: (req) => req.resume(),
};

/** Starts it; `/down/<bytes>`, `/up/<bytes>`, `/reset/0`, `/cut/0` and `/stall/0` are its paths. */
export function startSoakUpstream(): Promise<SoakUpstream> {
  const server = http.createServer((req, res) => {
    const [, kind = "", size = "0"] = req.url!.split("/");
    res.on("error", () => undefined);
    behaviours[kind]!(req, res, Number(size));
  });
  server.keepAliveTimeout = 2_000;
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      resolve({ port, close: () => (server.close(), server.closeAllConnections()) });
    });
  });
}

function writeBlocks(res: ServerResponse, size: number): void {
  let left = size;
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
