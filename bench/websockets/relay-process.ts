/** One relay in a process of its own: `relay-process.ts <name> <upstream port>`. Tells its parent its port, and its usage when asked. */
import { once } from "node:events";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { WebSocketServer } from "ws";
import { createGateway, parseConfig, upgradeThrough } from "../../src/index.ts";

/** What a relay has used so far: CPU time in microseconds; after a collection, resident bytes, bytes on the heap and open handles. */
export type RelayUsage = Readonly<{ cpu: number; memory: number; heap: number; handles: number }>;

const [name = "", upstreamPort = "0"] = process.argv.slice(2);

const relays: Readonly<Record<string, (port: number) => net.Server>> = {
  waymark(port) {
    const gateway = createGateway(
      parseConfig({
        Routes: [
          {
            UpstreamPathTemplate: "/live/{room}",
            DownstreamPathTemplate: "/{room}",
            DownstreamScheme: "ws",
            DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: port }],
          },
        ],
      }),
    );
    return http.createServer(gateway).on("upgrade", upgradeThrough(gateway));
  },
  "net pipe": (port) =>
    net.createServer({ noDelay: true }, (client) => {
      const upstream = net.connect({ host: "127.0.0.1", port, noDelay: true });
      client.pipe(upstream).pipe(client);
      client.on("error", () => upstream.destroy()).on("close", () => upstream.destroy());
      upstream.on("error", () => client.destroy()).on("close", () => client.destroy());
    }),
  // Not a relay: the upstream of both.
  echo() {
    const server = http.createServer();
    new WebSocketServer({ server, perMessageDeflate: false }).on("connection", (socket) =>
      socket.on("message", (message, isBinary) => socket.send(message, { binary: isBinary })),
    );
    return server;
  },
};

async function usage(): Promise<RelayUsage> {
  const { user, system } = process.cpuUsage();
  for (let round = 0; round < 3; round += 1) {
    await nextTurn();
    globalThis.gc?.();
  }
  const handles = process.getActiveResourcesInfo().filter((kind) => kind.startsWith("TCP")).length;
  return { cpu: user + system, memory: process.memoryUsage.rss(), heap: process.memoryUsage().heapUsed, handles };
}

const server = relays[name]!(Number(upstreamPort));
await once(server.listen(0, "127.0.0.1"), "listening");
process.on("message", () => void usage().then((answer) => process.send?.(answer)));
process.on("disconnect", () => process.exit());
process.send?.({ port: (server.address() as AddressInfo).port });
