import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** What a contender is started with; it reads what concerns it. */
export type Settings = Readonly<{
  /** Where it forwards to. */
  upstreamPort: number;
  /** Where more hosts of the same service are. */
  morePorts: readonly number[];
  /** Where counts live; empty for its own memory. */
  redis: string;
  /** Where it listens; 0 for any port. */
  port: number;
  engine: "http-proxy-middleware" | "undici";
  mount: "Express" | "Express without X-Powered-By" | "node:http";
  /** How many routes its configuration has; the one that is asked for is among them. */
  routes: number;
  /** What stands between matching and forwarding, or writes the answer. */
  between: "nothing" | "middleware" | "metadata" | "responder";
  /** What the route asks for besides being forwarded, by a name in `policies/gateways.ts`. */
  policies: string;
  /** The public key of the tokens that clients show; empty where they show none. */
  keyFile: string;
}>;

export const defaultSettings: Omit<Settings, "upstreamPort"> = {
  port: 0,
  engine: "http-proxy-middleware",
  mount: "Express",
  routes: 1,
  between: "nothing",
  policies: "nothing",
  keyFile: "",
  morePorts: [],
  redis: "",
};

/** What a process has used so far: CPU time in microseconds, resident memory in bytes. */
export type Usage = Readonly<{ cpu: number; memory: number }>;

/** A contender that listens. */
export type Listening = Readonly<{ port: number; usage: () => Usage }>;

/** A module in `contenders/`. */
export type Contender = Readonly<{ start: (settings: Settings) => Promise<Listening> }>;

/** Listens with a contender that is a Node server. */
export async function listen(server: Server, { port }: Settings): Promise<Listening> {
  // Connections stay for the whole run: what is measured is the proxy, not the opening of connections.
  server.keepAliveTimeout = 600_000;
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, usage: ownUsage };
}

function ownUsage(): Usage {
  const { user, system } = process.cpuUsage();
  return { cpu: user + system, memory: process.memoryUsage.rss() };
}
