import cluster from "node:cluster";
import { createServer, type Server } from "node:http";
import { liveOf } from "../../compiling/live.ts";
import type { GatewayConfig } from "../../config/gateway-config.ts";
import type { Gateway } from "../../gateway.ts";
import { listen } from "../../unattended/guarded.ts";
import { openServer } from "../../unattended/open-server.ts";
import { upgradeThrough } from "../../capabilities/websockets/upgrade-through.ts";
import { UsageError } from "../command.ts";
import { createLink } from "../../inspector/link-secret.ts";
import type { Peers } from "../../peers.ts";
import { type AppParts, createApp, inspectorPath } from "./create-app.ts";
import { createServiceGateway } from "./create-service-gateway.ts";
import { secretOfStart } from "./inspector-secret.ts";
import type { LineLogger } from "./line-logger.ts";
import type { ServeSettings } from "./settings.ts";
import { shareGateway } from "./purge-in-all-workers.ts";
import { connectionsOf, stopServer } from "./stop-server.ts";
import { createPipelinedTurns } from "./pipelined-turns.ts";
import { serverTimeLimits } from "./server-time-limits.ts";

/** Where a service writes its lines. */
export type ServiceLogger = LineLogger;

/** Where a server listens. */
type ServedAddress = Readonly<{ host: string; port: number }>;

/** A gateway that is being served. */
export type RunningServer = Readonly<{
  address: ServedAddress;
  gateway: Gateway;
  /** Lets readiness fail for some seconds, then lets running requests end, then closes. */
  stop: (delay: number) => Promise<void>;
}>;

type ServerSurroundings = Readonly<{ logger: ServiceLogger; peers: Peers; takenPort?: number | undefined }>;

/** Serves a configuration on plain node:http. */
export async function startServer(
  config: GatewayConfig,
  settings: ServeSettings,
  { logger, peers, takenPort = settings.port }: ServerSurroundings,
): Promise<RunningServer> {
  const gateway = await createServiceGateway(config, settings, logger);
  // So that the first requests are counted where all others are.
  await liveOf(gateway)!.storeBegun();
  const serverState = { isDraining: false };
  shareGateway(gateway, peers);
  const pages = await openPages(gateway, settings, peers);
  const { app, refuseExpectation } = createApp({ settings, gateway, ...pages, serverState, logger });
  const inTurn = createPipelinedTurns();
  const server = createServer(serverTimeLimits, inTurn(app));
  const connections = connectionsOf(server);
  // Node would refuse all of a packet by itself, and tell nobody.
  listen(server, "checkExpectation", inTurn(refuseExpectation));
  listen(server, "upgrade", upgradeThrough(app, { logger }));
  const address = await openAt(server, settings, takenPort).catch(closeAndThrow);
  listen(server, "error", (err: Error) => logger.error({ err }, "The server failed; requests go on."));
  if (!peers.areThere) tellLink(settings, address);
  const serving = { server, connections, gateway, serverState, logger };
  return { address, gateway, stop: (delay) => stopServer(serving, { delay, ...settings }) };

  async function closeAndThrow(error: unknown): Promise<never> {
    await gateway.close();
    throw error;
  }
}

/** The pages that are asked for; what they are made of is loaded for nobody else. */
async function openPages(
  gateway: Gateway,
  { inspect, openapi }: ServeSettings,
  peers: Peers,
): Promise<Pick<AppParts, "inspect" | "documents">> {
  const inspector = inspect ? await import("../../inspector/inspector.ts") : undefined;
  const openApi = openapi === undefined ? undefined : await import("../../openapi-pages/openapi-documents.ts");
  return {
    inspect: inspector?.createInspector(gateway, { secret: secretOfStart }, peers),
    documents: openApi?.openApiDocuments(gateway, openapi),
  };
}

/** Not into the log: not every reader of a log may look into the gateway. */
export function tellLink({ inspect, tell }: Pick<ServeSettings, "inspect" | "tell">, { port }: ServedAddress): void {
  if (!inspect) return;
  tell(`The inspector: ${createLink(`http://localhost:${port}${inspectorPath}`, secretOfStart)}\n`);
}

/**
 * Listens where it is said, on the port that was taken there before. While other workers listen on a port that was chosen
 * by chance, it is had by asking for any, as they did; when none is left, by its number. Its number is asked for last, as
 * Node's primary keeps a socket for each number that another one of its own has.
 */
async function openAt(server: Server, { host, port }: ServeSettings, takenPort: number): Promise<ServedAddress> {
  try {
    const found = await listenAt(server, { host, port });
    if (port === takenPort || found === takenPort) return { host, port: found };
    await new Promise((resolve) => server.close(resolve));
    return { host, port: await listenAt(server, { host, port: takenPort }) };
  } catch (error) {
    throw cannotListen(error as NodeJS.ErrnoException, { host, port: takenPort });
  }
}

function listenAt(server: Server, { host, port }: ServedAddress): Promise<number> {
  return openServer(server, { port, host, exclusive: hasNobodyToAsk() });
}

/** Node asks the primary of a worker for the port; where none is there, the worker would wait for ever. */
function hasNobodyToAsk(): boolean {
  return cluster.isWorker && !process.connected;
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: "the port is in use; --port takes another one",
  EACCES: "the permission is missing; ports below 1024 are often reserved",
  EADDRNOTAVAIL: "this machine has no such address",
  ENOTFOUND: "there is no such host",
};

function cannotListen({ code = "", message }: NodeJS.ErrnoException, address: ServedAddress): UsageError {
  return new UsageError(`Cannot listen on ${formatAddress(address)}: ${reasons[code] ?? message}.`);
}

/** The address as one types it into a browser on this machine. */
export function formatAddress({ host, port }: ServedAddress): string {
  const isLocal = host === "127.0.0.1" || host === "::1";
  const name = isLocal ? "localhost" : host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
