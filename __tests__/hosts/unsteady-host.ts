import { once } from "node:events";
import http from "node:http";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { closeServer } from "../helpers/start-upstream.ts";

/** What a host does to requests. */
export type Ways = "well" | "refuses" | "503" | "hangs";

/** A host that fails in several ways, and comes back at the same port. */
export type UnsteadyHost = Readonly<{
  name: string;
  port: number;
  origin: string;
  /** How many requests it has got. */
  asked: () => number;
  become: (way: Ways) => Promise<void>;
  close: () => Promise<void>;
}>;

/** Starts a host that answers 200 with its name until it is told otherwise. */
export async function startUnsteadyHost(name: string): Promise<UnsteadyHost> {
  let way: Ways = "well";
  let asked = 0;
  let held: Held | undefined;
  const hanging = new Set<http.ServerResponse>();
  const server = http.createServer((req, res) => {
    asked += 1;
    req.resume();
    if (way === "hangs") hanging.add(res.on("close", () => hanging.delete(res)));
    else res.writeHead(way === "503" ? 503 : 200).end(name);
  });
  server.keepAliveTimeout = 120_000;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { name, port, origin: `http://127.0.0.1:${port}`, asked: () => asked, become, close };

  async function become(next: Ways): Promise<void> {
    way = next;
    if (next === "refuses") {
      await closeServer(server);
      held = await hold(port);
    } else if (held !== undefined) {
      const { release } = held;
      held = undefined;
      await release();
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
    }
    if (next === "well") for (const res of hanging) res.end(name);
  }

  async function close(): Promise<void> {
    await held?.release();
    if (server.listening) await closeServer(server);
  }
}

type Held = Readonly<{ release: () => Promise<void> }>;

/** Keeps a port from others while nobody listens there: a client has it. */
async function hold(localPort: number): Promise<Held> {
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
    async release() {
      const gone = new Promise((resolve) => accepted.on("close", resolve));
      client.resetAndDestroy();
      await gone;
      server.close();
      await once(server, "close");
    },
  };
}
