import { once } from "node:events";
import http from "node:http";
import { keepPort } from "../helpers/hold-dead-port.ts";
import { closeServer, listen } from "../helpers/start-upstream.ts";

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
  const hanging = new Set<http.ServerResponse>();
  const server = http.createServer((req, res) => {
    asked += 1;
    req.resume();
    if (way === "hangs") hanging.add(res.on("close", () => hanging.delete(res)));
    else res.writeHead(way === "503" ? 503 : 200).end(name);
  });
  server.keepAliveTimeout = 120_000;
  const port = await listen(server);
  const { refuse, letGo } = keepPort(port, () => closeServer(server));
  return { name, port, origin: `http://127.0.0.1:${port}`, asked: () => asked, become, close };

  async function become(next: Ways): Promise<void> {
    way = next;
    if (next === "refuses") await refuse();
    else if (await letGo()) {
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
    }
    if (next === "well") for (const res of hanging) res.end(name);
  }

  async function close(): Promise<void> {
    await letGo();
    if (server.listening) await closeServer(server);
  }
}
