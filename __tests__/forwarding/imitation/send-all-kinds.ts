// Sends requests of every kind and end through the default engine; prints what http-proxy-middleware has read of them.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createGateway, parseConfig } from "../../../src/index.ts";

const upstream = createServer((req, res) => {
  if (req.url === "/cut") req.socket.destroy();
  else if (req.url === "/silent") req.resume();
  else req.resume().on("end", () => res.end("answered"));
});
const gateway = createGateway(
  parseConfig(JSON.stringify({ Routes: [route("/{rest}", await listen(upstream)), route("/refused", 1)] })),
  {
    logger: false,
  },
);
const origin = `http://127.0.0.1:${await listen(createServer(gateway))}`;

const streamed = { method: "PUT", duplex: "half" } as const;
await send("/get", {});
await send("/head", { method: "HEAD" });
await send("/delete", { method: "DELETE" });
await send("/post", { method: "POST", body: "with a length" });
await send("/put", { ...streamed, body: new Blob(["in chunks"]).stream() });
await send("/cut", {});
await send("/refused", {});
await send("/silent", { signal: AbortSignal.timeout(100) });
await send("/silent", { ...streamed, body: new ReadableStream(), signal: AbortSignal.timeout(100) });
await gateway.close();

const { readsOfProxy } = globalThis as unknown as { readsOfProxy: ReadonlySet<string> };
console.log(JSON.stringify([...readsOfProxy].sort()));
process.exit();

function route(UpstreamPathTemplate: string, Port: number): object {
  const DownstreamHostAndPorts = [{ Host: "127.0.0.1", Port }];
  return { UpstreamPathTemplate, DownstreamPathTemplate: UpstreamPathTemplate, DownstreamHostAndPorts };
}

function listen(server: ReturnType<typeof createServer>): Promise<number> {
  return new Promise((resolve) => server.listen(0, () => resolve((server.address() as AddressInfo).port)));
}

async function send(path: string, init: RequestInit): Promise<void> {
  await fetch(origin + path, init)
    .then((answer) => answer.arrayBuffer())
    .catch(() => undefined);
}
