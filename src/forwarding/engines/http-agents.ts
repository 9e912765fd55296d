import http from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { watchBytes } from "../../clean-connections.ts";
import { after, listenOnce } from "../../unattended/guarded.ts";
import { openConnection } from "../connect-in-time.ts";
import type { ConnectionSettings } from "../../capabilities/tls/connection-settings.ts";
import { readOrigin } from "../read-origin.ts";

/** Where a request goes, as http-proxy-middleware takes it. */
export type HttpTarget = Readonly<{ protocol: "http:" | "https:"; hostname: string; host: string; port: number }>;

/** Kept connections, apart by how they are opened. */
type HttpAgents = Readonly<{
  agentFor: (connection: ConnectionSettings, target: HttpTarget) => http.Agent;
  /** Keeps no connections with these settings any more; those that are busy end with their request. */
  release: (connection: ConnectionSettings) => void;
  destroy: () => void;
}>;

type AgentPair = Readonly<Record<HttpTarget["protocol"], http.Agent>>;

/** Makes the agents of one engine. */
export function createHttpAgents(): HttpAgents {
  const pairs = new Map<ConnectionSettings, AgentPair>();
  const released = new WeakSet<ConnectionSettings>();
  return { agentFor, release, destroy };

  function agentFor(connection: ConnectionSettings, { protocol }: HttpTarget): http.Agent {
    const known = pairs.get(connection);
    if (known !== undefined) return known[protocol];
    // Requests from before a reload may still come: their connections serve one request each.
    const isReleased = released.has(connection);
    const pair = createPair(connection, !isReleased);
    if (!isReleased) pairs.set(connection, pair);
    return pair[protocol];
  }

  function release(connection: ConnectionSettings): void {
    released.add(connection);
    const pair = pairs.get(connection);
    pairs.delete(connection);
    for (const agent of Object.values(pair ?? {})) {
      // Missing in the types; asked whenever a request is over.
      Object.assign(agent, { keepAlive: false });
      for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
    }
  }

  function destroy(): void {
    for (const pair of pairs.values()) {
      pair["http:"].destroy();
      pair["https:"].destroy();
    }
  }
}

// Node asks the socket how much to keep of an answer that the client does not take; it counts bytes, and keeps an object
// for each chunk. A read from the socket is longer, so that this slows nothing down.
const mostUnread = 16_384;

function createPair(connection: ConnectionSettings, keepAlive: boolean): AgentPair {
  return {
    "http:": ageing(connecting(new http.Agent({ keepAlive }), connection, false), connection),
    "https:": ageing(connecting(new https.Agent({ keepAlive }), connection, true), connection),
  };
}

function connecting(agent: http.Agent, connection: ConnectionSettings, secure: boolean): http.Agent {
  agent.createConnection = function createConnection(options): Duplex {
    const { host, port } = options as { host: string; port: number };
    const socket = openConnection({ host, port, secure }, connection);
    watchBytes(socket);
    return Object.defineProperty(socket, "readableHighWaterMark", { value: mostUnread });
  };
  return agent;
}

/** Keeps no connection beyond its lifetime; what runs over one that is as old goes on. */
function ageing(agent: http.Agent, { lifetime }: ConnectionSettings): http.Agent {
  if (lifetime === undefined) return agent;
  const old = new WeakSet<Duplex>();
  const connect = agent.createConnection.bind(agent);
  const keep: (socket: Duplex) => unknown = agent.keepSocketAlive.bind(agent);
  agent.createConnection = function createAgeing(options, callback) {
    const socket = connect(options, callback)!;
    const timer = after(lifetime, () => end(socket)).unref();
    listenOnce(socket, "close", () => clearTimeout(timer));
    return socket;
  };
  agent.keepSocketAlive = (socket: Duplex) => lifetime > 0 && !old.has(socket) && keep(socket) !== false;
  return agent;

  function end(socket: Duplex): void {
    old.add(socket);
    const isIdle = Object.values(agent.freeSockets).some((sockets) => sockets?.includes(socket as Socket));
    if (isIdle) socket.destroy();
  }
}

/** An upstream that has closed one kept connection has often closed them all: a second try must not meet the next. */
export function dropIdle(agent: http.Agent, { host, port }: HttpTarget): void {
  for (const [name, sockets = []] of Object.entries(agent.freeSockets)) {
    if (name.startsWith(`${host}:${port}:`)) for (const socket of sockets) socket.destroy();
  }
}

const rememberedTargets = 1_000;

/** Reads origins, each once: the same few come with every request. */
export function createTargetCache(): (origin: string) => HttpTarget {
  const targets = new Map<string, HttpTarget>();
  return function findTarget(origin) {
    const known = targets.get(origin);
    if (known !== undefined) return known;
    const target = toTarget(origin);
    if (targets.size >= rememberedTargets) targets.clear();
    targets.set(origin, target);
    return target;
  };
}

function toTarget(origin: string): HttpTarget {
  const { host, port, secure } = readOrigin(origin);
  return { protocol: secure ? "https:" : "http:", hostname: host, host, port };
}
