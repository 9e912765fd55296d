import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { listen } from "../unattended/guarded.ts";
import type { Serving } from "./simulated-exchange.ts";
import { createFaults, type Fault } from "./faults.ts";
import { closeAtOnce, listenAt, type Place } from "./listening.ts";
import { createRequestLog, type ReceivedRequest } from "./received-requests.ts";
import { isWebSocketUpgrade } from "./relay-upgrade.ts";
import { serveRequest } from "./serve-request.ts";
import { serveUpgrade } from "./serve-upgrade.ts";
import { createServiceTable } from "./service-table.ts";
import type { Service } from "./service.ts";
import { defaultTimeouts, type Timeouts } from "./timeouts.ts";

/** Options of {@link createNamingSimulator}. */
export type NamingSimulatorOptions = Readonly<{
  /** Default 19081; 0 takes a free one. */
  port?: number | undefined;
  /** Address to listen at, default `127.0.0.1`. */
  host?: string | undefined;
  /** The services by name, with or without `fabric:/`. */
  services?: Readonly<Record<string, Service>> | undefined;
  /** Time limits in seconds; each has the real one's default. */
  timeouts?: Partial<Timeouts> | undefined;
  /** Only https listeners of an address count, default false. */
  secureOnly?: boolean | undefined;
  /** How many received requests are kept, default 1000. */
  keepRequests?: number | undefined;
  /** Told of each request when it is settled, before the client gets its answer. */
  onRequest?: ((request: ReceivedRequest) => void) | undefined;
}>;

/** A naming service on this machine. */
export type NamingSimulator = Readonly<{
  listen: () => Promise<Place>;
  /** Adds a service, or replaces the one of that name: its replicas have moved. */
  addService: (name: string, service: Service) => void;
  removeService: (name: string) => void;
  /** Makes a service faulty on purpose; the last fault that was set counts. */
  fault: (name: string, fault: Fault) => void;
  /** Ends the faults of one service, or of all. */
  clearFaults: (name?: string) => void;
  /** The last requests, oldest first, and where each was sent. */
  requests: () => readonly ReceivedRequest[];
  /** Ends every connection at once. */
  close: () => Promise<void>;
}>;

/** Makes a naming service that resolves, forwards, retries and refuses like the real one. */
export function createNamingSimulator(options: NamingSimulatorOptions = {}): NamingSimulator {
  const { port = 19081, host = "127.0.0.1", keepRequests = 1000, secureOnly = false } = options;
  const services = createServiceTable(options.services ?? {});
  const faults = createFaults();
  const requestLog = createRequestLog(keepRequests, options.onRequest);
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const serving: Serving = { services, faults, requestLog, timeouts, secureOnly, running: new Set() };
  const server = createSimulatorServer(serving);

  return {
    addService: services.add,
    removeService: services.remove,
    fault: (name, fault) => faults.set(services.nameOf(name), fault),
    clearFaults: (name) => faults.clear(name === undefined ? undefined : services.nameOf(name)),
    requests: requestLog.requests,
    listen: () => listenAt(server, { host, port }),
    close() {
      for (const controller of serving.running) controller.abort();
      return closeAtOnce(server);
    },
  };
}

function createSimulatorServer(serving: Serving): Server {
  // Before Node 24.9 the option is unknown: every upgrade comes to the listener below, which tells them apart,
  // but the body of one that is no WebSocket is lost then.
  const server = createServer({ shouldUpgradeCallback: isWebSocketUpgrade });
  listen(server, "request", (request: IncomingMessage, response: ServerResponse) => {
    void serveRequest(serving, request, response);
  });
  listen(server, "upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // The types allow for any duplex; a server that listens on a port has sockets.
    if (socket instanceof Socket) void serveUpgrade(serving, request, socket, head);
  });
  return server;
}
