import type { RequestListener } from "node:http";
import type { DelegatingHandler, GatewayChange, GatewayOptions } from "../../src/index.ts";
import { request } from "../helpers/send-raw.ts";
import { type RunningGateway, startGateway } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

/** A host that does as it is told: answers with a status, or a head that is too long or ill-formed, resets the connection, or says nothing. */
export type ToldHost = Upstream & { does: number | "long head" | "odd head" | "reset" | "hang" };

/** More than Node takes of a head. */
const longText = "a".repeat(20_000);

/** Starts a host that answers 200 with its name until it is told otherwise. */
export async function startHost(name: string): Promise<ToldHost> {
  const answer: RequestListener = (req, res) => {
    req.resume();
    const { does } = host;
    if (does === "reset") req.socket.resetAndDestroy();
    else if (does === "long head") res.writeHead(200, { "x-long": longText }).end(name);
    else if (does === "odd head") req.socket.write("HTTP/1.1 200 OK\r\nX-Odd: \u0001\r\n\r\n");
    else if (does !== "hang") res.writeHead(does).end(name);
  };
  const host: ToldHost = Object.assign(await startUpstream(answer), { does: 200 as const });
  return host;
}

/** A gateway in front of some hosts, whose clock stands still, and what it tells its observers. */
export type HostsGateway = RunningGateway & {
  clock: { now: number };
  changes: GatewayChange[];
  ask: (path?: string, init?: Asked) => Promise<string>;
};

/** What a client asks with, beside the path. */
type Asked = Readonly<{ method?: string; body?: string; headers?: Readonly<Record<string, string>> }>;

/** Starts a gateway with one route at /x, in turns unless it says otherwise. */
export async function startHosts(
  hosts: readonly Readonly<{ port: number }>[],
  route: object = {},
  options: GatewayOptions = {},
): Promise<HostsGateway> {
  const clock = { now: 0 };
  const changes: GatewayChange[] = [];
  const running = await startGateway(configOf(hosts, route), {
    now: () => clock.now,
    observers: [{ begin: () => undefined, changed: (change) => changes.push(change) }],
    ...options,
  });
  return { ...running, clock, changes, ask };

  /** What a client gets: the name of a host, else the status, with what Retry-After says. */
  async function ask(path = "/x", init: Asked = {}): Promise<string> {
    const { status, body, headers } = await request({ port: running.port, path, ...init });
    if (status === 200) return body.toString();
    const retryAfter = headers["retry-after"];
    return retryAfter === undefined ? String(status) : `${status} in ${retryAfter} s`;
  }
}

/** The configuration of such a gateway. */
export function configOf(hosts: readonly Readonly<{ port: number; Weight?: number }>[], route: object = {}): object {
  return {
    Routes: [
      {
        UpstreamPathTemplate: "/x",
        DownstreamPathTemplate: "/",
        DownstreamHostAndPorts: hosts.map(({ port, Weight }) => ({
          Host: "127.0.0.1",
          Port: port,
          ...(Weight === undefined ? {} : { Weight }),
        })),
        LoadBalancerOptions: { Type: "RoundRobin" },
        ...route,
      },
    ],
  };
}

/** A handler that sends a request again until it is answered well, as one of a user's may. */
export const sendAgain: DelegatingHandler = async function sendAgain(_outgoing, next) {
  const first = await next();
  return first.status === 200 ? first : next();
};
