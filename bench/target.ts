/** The upstream of all contenders: answers a path that ends in a number with as many bytes of JSON, the body once read; caches may keep those below /kept. */
import { createServer } from "node:http";
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

const server = createServer((req, res) => {
  const body = bodyFor(req.url!);
  req.on("end", () => {
    res.writeHead(200, {
      "content-type": "application/json",
      "content-length": body.length,
      "cache-control": req.url!.startsWith("/kept/") ? "max-age=3600" : "no-cache",
    });
    res.end(body);
  });
  req.resume();
});
// Connections stay for the whole run: what is measured is the proxy, not the opening of connections.
server.keepAliveTimeout = 600_000;
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on("disconnect", () => process.exit());
