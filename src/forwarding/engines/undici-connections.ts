import type { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import { Client, type buildConnector } from "undici";
import { listen, listenOnce } from "../../unattended/guarded.ts";
import { defaultPortOf } from "../../urls/schemes.ts";
import { openConnection } from "../connect-in-time.ts";
import type { ConnectionSettings } from "../../capabilities/tls/connection-settings.ts";
import { createHeadPlace, type HeadPlace } from "./hide-continue.ts";
import type { InterimTally } from "../../interim-answers.ts";
import { createGroup, createGroups, type Group, leaveGroup } from "./undici-groups.ts";
import { endWithLongHead } from "./undici-end-of-head.ts";
import { joinShortBodies } from "./undici-join-short-body.ts";
import { expectAnswer, watchReads } from "./undici-watch-reads.ts";
import { unheard } from "../../unheard-bytes.ts";

/** One kept connection: an undici client that has one request at a time, and connects again when it has to. */
export type Connection = {
  readonly client: Client;
  readonly servername: string;
  readonly settings: ConnectionSettings;
  readonly group: Group<Connection>;
  /** The present socket, or the last one. */
  socket: Socket | undefined;
  /** When it began, by the clock of `performance`. */
  since: number;
  /** How many requests were made over this socket before. */
  requests: number;
  /** Whether the memory of large bodies is freed when they are out. */
  readonly freesBodies: boolean;
  /** Where the next bytes stand in an answer's head. */
  readonly head: HeadPlace;
  /** The interim answers to the present request. */
  readonly interims: InterimTally;
  /** How many bytes were read, less what undici has handed on of them. */
  [unheard]: number;
  /** The memory of the last read from the socket that filled all of its memory; known only where it is freed. */
  wholeRead: ArrayBufferLike | undefined;
};

/** The connections of one engine. */
export type Connections = Readonly<{
  take: (origin: string, settings: ConnectionSettings) => Connection;
  giveBack: (connection: Connection) => void;
  /** Ends a connection together with its request. */
  drop: (connection: Connection, reason: Error) => void;
  /** Ends all connections that wait beside this one: an upstream that has closed one has often closed all. */
  dropIdle: (connection: Connection) => void;
  /** Keeps no connections with these settings any more; those that are busy end with their request. */
  release: (settings: ConnectionSettings) => void;
  close: () => Promise<void>;
}>;

/**
 * Keeps connections by settings and origin, the one used last first. undici's own pool would look at each busy
 * connection for every request, keep a client for each connection there ever was, and not tell which one failed.
 */
export function createConnections(freesBodies: boolean): Connections {
  const groups = createGroups<Connection>();
  const all = new Set<Connection>();
  const released = new WeakSet<ConnectionSettings>();
  let isClosed = false;

  return { take, giveBack, drop, dropIdle, release, close };

  function take(origin: string, settings: ConnectionSettings): Connection {
    if (isClosed) throw new Error("The engine is closed.");
    // Requests from before a reload may still come: their connections serve one request each.
    const group = released.has(settings) ? createGroup<Connection>() : groups.find(origin, settings);
    for (let idle = group.idle.pop(); idle !== undefined; idle = group.idle.pop()) {
      if (!isOld(idle)) return idle;
      end(idle);
    }
    return open(origin, settings, group);
  }

  function open(origin: string, settings: ConnectionSettings, group: Group<Connection>): Connection {
    const connection = createConnection({ origin, settings, freesBodies }, group, end);
    all.add(connection);
    group.open += 1;
    return connection;
  }

  function giveBack(connection: Connection): void {
    connection.requests += 1;
    expectAnswer(connection);
    if (released.has(connection.settings) || isOld(connection)) end(connection);
    else if (!connection.client.destroyed) connection.group.idle.push(connection);
  }

  function drop(connection: Connection, reason: Error): void {
    end(connection, reason);
    connection.socket?.destroy();
  }

  function dropIdle({ group }: Connection): void {
    for (const connection of group.idle.splice(0)) end(connection);
  }

  function release(settings: ConnectionSettings): void {
    released.add(settings);
    for (const { idle } of groups.release(settings)) for (const connection of idle.splice(0)) end(connection);
  }

  function end(connection: Connection, reason?: Error): void {
    if (all.delete(connection)) leaveGroup(connection.group);
    void connection.client.destroy(reason ?? null);
  }

  async function close(): Promise<void> {
    isClosed = true;
    await Promise.all(Array.from(all, ({ client }) => client.destroy()));
    all.clear();
    groups.clear();
  }
}

// Time limits stand around the engines, once for all of them; only the idle time of a connection is undici's.
const clientOptions = {
  allowH2: false,
  pipelining: 1,
  headersTimeout: 0,
  bodyTimeout: 0,
  // Milliseconds until an idle connection goes: these where the upstream says nothing, and so many before it says it would.
  keepAliveTimeout: 4_000,
  keepAliveTimeoutThreshold: 2_000,
} as const;

type ConnectionFacts = Readonly<{ origin: string; settings: ConnectionSettings; freesBodies: boolean }>;

function createConnection(
  { origin, settings, freesBodies }: ConnectionFacts,
  group: Group<Connection>,
  end: (connection: Connection) => void,
): Connection {
  const client = new Client(origin, { ...clientOptions, connect });
  const servername = new URL(origin).hostname;
  const connection: Connection = {
    client,
    servername,
    settings,
    group,
    socket: undefined,
    since: 0,
    requests: 0,
    freesBodies,
    head: createHeadPlace(),
    interims: { count: 0, since: 0 },
    [unheard]: 0,
    wholeRead: undefined,
  };
  for (const event of ["disconnect", "connectionError"]) listen(client as EventEmitter, event, endIfIdle);
  return connection;

  function connect(options: buildConnector.Options, callback: buildConnector.Callback): void {
    connection.socket = connectSocket(options, settings, callback);
    expectAnswer(connection);
    watchReads(connection, connection.socket);
    endWithLongHead(connection.socket);
    joinShortBodies(connection.socket);
    connection.requests = 0;
    connection.since = performance.now();
  }

  /** A connection that has a request by then connects again for it. */
  function endIfIdle(): void {
    const index = group.idle.indexOf(connection);
    if (index === -1) return;
    group.idle.splice(index, 1);
    end(connection);
  }
}

function isOld({ settings: { lifetime }, since }: Connection): boolean {
  return lifetime !== undefined && performance.now() - since >= lifetime;
}

function connectSocket(
  { hostname, port, protocol }: buildConnector.Options,
  settings: ConnectionSettings,
  callback: buildConnector.Callback,
): Socket {
  const secure = protocol === "https:";
  const target = { host: hostname, port: Number(port) || defaultPortOf(protocol.slice(0, -1))!, secure };
  const socket = openConnection(target, settings);
  listenOnce(socket, secure ? "secureConnect" : "connect", connected);
  const failing = listenOnce(socket, "error", fail);
  const closing = listenOnce(socket, "close", closeEarly);
  return socket;

  function connected(): void {
    socket.off("error", failing).off("close", closing);
    callback(null, socket);
  }

  function fail(error: Error): void {
    socket.off("close", closing);
    callback(error, null);
  }

  function closeEarly(): void {
    callback(new Error("The connection was given up."), null);
  }
}
