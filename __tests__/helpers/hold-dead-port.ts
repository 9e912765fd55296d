import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export type DeadPort = Readonly<{ port: number; release: () => Promise<void> }>;

/** Holds a port at which connections are refused: a client has it, so that no server can be given it meanwhile. */
export async function holdDeadPort(): Promise<DeadPort> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const [[accepted]] = (await Promise.all([once(server, "connection"), once(client, "connect")])) as [
    [Socket],
    unknown,
  ];
  return {
    port: client.localPort!,
    async release() {
      client.destroy();
      accepted.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
