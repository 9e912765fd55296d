import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export type DeadPort = Readonly<{ port: number; release: () => Promise<void> }>;

/** Holds a port at which connections are refused, any or this one: a client has it, so that no server can be given it meanwhile. */
export async function holdDeadPort(localPort?: number): Promise<DeadPort> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const client = connect({ port, host: "127.0.0.1", localPort, localAddress: "127.0.0.1" });
  const [[accepted]] = (await Promise.all([once(server, "connection"), once(client, "connect")])) as [
    [Socket],
    unknown,
  ];
  accepted.on("error", () => undefined);
  return {
    port: client.localPort!,
    async release() {
      const gone = new Promise((resolve) => accepted.on("close", resolve));
      client.resetAndDestroy();
      await gone;
      server.close();
      await once(server, "close");
    },
  };
}
