import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

export type DeadPort = Readonly<{ port: number; release: () => Promise<void> }>;

/** Holds a port at which connections are refused, any or this one: a client has it, so that no server can be given it meanwhile. */
export async function holdDeadPort(localPort?: number): Promise<DeadPort> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const client = connect({ port, host: "127.0.0.1", localPort, localAddress: "127.0.0.1" });
  const connected = Promise.all([once(server, "connection"), once(client, "connect")]);
  connected.catch(() => server.close());
  const [[accepted]] = (await connected) as [[Socket], unknown];
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

/** The port of a server that may refuse connections for a while. */
export type KeptPort = Readonly<{
  /** The server listens no more, and no other can be given its port. */
  refuse: () => Promise<void>;
  /** Lets go of the port, and tells whether it was held. */
  letGo: () => Promise<boolean>;
}>;

/** Prepares that for a server that stops listening by a function. */
export function keepPort(port: number, stop: () => Promise<unknown>): KeptPort {
  let held: DeadPort | undefined;
  return {
    async refuse() {
      await stop();
      held = await holdOnceFree(port);
    },
    async letGo() {
      const before = held;
      held = undefined;
      await before?.release();
      return before !== undefined;
    },
  };
}

/** A server of another test may have been given the port in between: that test is over soon. */
async function holdOnceFree(port: number): Promise<DeadPort> {
  for (;;) {
    try {
      return await holdDeadPort(port);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
      await wait(20);
    }
  }
}
