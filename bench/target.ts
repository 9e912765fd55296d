/**
 * The upstream of all contenders, at as many ports as its argument says: answers a path that ends in a number with as
 * many bytes of JSON, the body once read, and one that ends in `3x300` with three chunks of 300 bytes; caches may keep
 * those below /kept.
 */
import { once } from "node:events";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const bodies = new Map<string, Buffer>();

function bodyFor(url: string): Buffer {
  const known = bodies.get(url);
  if (known !== undefined) return known;
  const bytes = Number(/\/(\d+)(?:\?.*)?$/.exec(url)?.[1] ?? "100");
  const body = Buffer.from(`{"text":"${"x".repeat(Math.max(0, bytes - `{"text":""}`.length))}"}`);
  bodies.set(url, body);
  return body;
}

type Chunks = Readonly<{ count: number; chunk: Buffer }>;

function chunksFor(url: string): Chunks | undefined {
  const [, count, bytes] = /\/(\d+)x(\d+)$/.exec(url) ?? [];
  return bytes === undefined ? undefined : { count: Number(count), chunk: Buffer.alloc(Number(bytes), "x") };
}

function answerInChunks(res: ServerResponse, { count, chunk }: Chunks): void {
  res.writeHead(200, { "content-type": "text/plain", "cache-control": "no-cache" });
  for (let written = 0; written < count; written += 1) res.write(chunk);
  res.end();
}

const handle: RequestListener = (req, res) => {
  const chunks = chunksFor(req.url!);
  const body = bodyFor(req.url!);
  req.on("end", () => {
    if (chunks !== undefined) {
      answerInChunks(res, chunks);
      return;
    }
    res.writeHead(200, {
      "content-type": "application/json",
      "content-length": body.length,
      "cache-control": req.url!.startsWith("/kept/") ? "max-age=3600" : "no-cache",
    });
    res.end(body);
  });
  req.resume();
};

/** Listens at a port of its own. */
async function listenAtAnyPort(): Promise<number> {
  const server = createServer(handle);
  // Connections stay for the whole run: what is measured is the proxy, not the opening of connections.
  server.keepAliveTimeout = 600_000;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

const count = Number(process.argv[2]);
const ports = await Promise.all(Array.from({ length: count }, listenAtAnyPort));
process.send?.({ ports });
process.on("disconnect", () => process.exit());
