import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import type { GatewayOptions } from "../../src/index.ts";
import { startGateway } from "../helpers/start-gateway.ts";

export const end = "0\r\n\r\n";

/** A service that keeps the bytes of all that it is asked, and a gateway that asks it. */
export type RawUploads = Readonly<{
  port: number;
  /** What the service has got: the bytes of all its connections, in their order. */
  arrived: () => string;
  /** The connections that the gateway has accepted. */
  accepted: readonly net.Socket[];
  connect: () => Promise<net.Socket>;
  close: () => Promise<void>;
}>;

/** Starts both; who uploads through the gateway is a raw socket. */
export async function startRawUploads(options: GatewayOptions): Promise<RawUploads> {
  let arrived = "";
  const sockets: net.Socket[] = [];
  const accepted: net.Socket[] = [];
  const upstream = net.createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined);
    socket.setEncoding("latin1").on("data", (text: string) => {
      arrived += text;
      if (arrived.endsWith(end)) socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    });
  });
  await once(upstream.listen(0, "127.0.0.1"), "listening");
  const target = { Host: "127.0.0.1", Port: (upstream.address() as AddressInfo).port };
  const route = { UpstreamPathTemplate: "/", DownstreamPathTemplate: "/", DownstreamHostAndPorts: [target] };
  const running = await startGateway({ Routes: [route] }, options);
  running.server.on("connection", (socket: net.Socket) => accepted.push(socket));
  return { port: running.port, arrived: () => arrived, accepted, connect, close };

  async function connect(): Promise<net.Socket> {
    const client = net.connect(running.port, "127.0.0.1").on("error", () => undefined);
    sockets.push(client);
    await once(client, "connect");
    return client;
  }

  async function close(): Promise<void> {
    for (const socket of sockets) socket.destroy();
    await running.close();
    upstream.close();
  }
}
