import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import type { Duplex } from "node:stream";
import { createGateway, parseConfig, upgradeThrough } from "../../src/index.ts";
import { closeServer, listen } from "../helpers/start-upstream.ts";

/** Asks for a WebSocket at a path that none of a server's listeners takes. */
export async function leaveUntaken(): Promise<
  Readonly<{ client: net.Socket; served: Duplex; close: () => Promise<unknown> }>
> {
  const gateway = createGateway(parseConfig({ Routes: [] }, { logger: false }));
  const server = http.createServer(gateway).on("upgrade", upgradeThrough(gateway));
  const untaken = new Promise<Duplex>((resolve) =>
    server.on("upgrade", (_req, socket) => void setTimeout(resolve, 20, socket)),
  );
  const client = net.connect(await listen(server), "127.0.0.1").on("error", () => undefined);
  await once(client, "connect");
  client.write(
    "GET /nobody HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
  );
  const served = await untaken;
  const close = async (): Promise<void> => {
    client.destroy();
    served.destroy();
    await closeServer(server);
    await gateway.close();
  };
  return { client, served, close };
}
