import type { Server } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { Gateway } from "../../gateway.ts";
import type { Logger } from "../../logging/logger.ts";
import { after, listen, listenOnce } from "../../unattended/guarded.ts";
import type { ServeSettings } from "./settings.ts";

/** A server that runs, and whether it still takes requests. */
type Serving = Readonly<{
  server: Server;
  connections: ReadonlySet<Socket>;
  gateway: Gateway;
  serverState: { isDraining: boolean };
  logger: Logger;
}>;

type Stopping = Pick<ServeSettings, "health" | "grace"> & Readonly<{ delay: number }>;

const farewellMilliseconds = 2_000;

/**
 * For how many seconds readiness fails before requests are refused. On SIGTERM a proxy needs them to hear of it, where it
 * asks at all; whoever sends SIGINT from a terminal wants an end.
 */
export function drainSecondsOn(
  signal: "SIGTERM" | "SIGINT",
  { health, drainDelay }: Pick<ServeSettings, "health" | "drainDelay">,
): number {
  return signal === "SIGTERM" && health !== undefined ? drainDelay : 0;
}

/** Lets readiness fail for some seconds, then lets running requests end, then closes. */
export async function stopServer(
  { server, connections, gateway, serverState, logger }: Serving,
  { delay, health, grace }: Stopping,
): Promise<void> {
  serverState.isDraining = true;
  const how = health === undefined ? "no new requests are taken" : "readiness fails from now on";
  logger.info({ delay, running: gateway.health().running }, `Stopping: ${how}.`);
  if (delay > 0) await wait(delay * 1_000);
  await gateway.close({ grace });
  await closeServer(server, connections);
  logger.info({}, "Stopped.");
}

/** The connections of a server. Its own list lacks those of upgrades, also of such as were refused. */
export function connectionsOf(server: Server): ReadonlySet<Socket> {
  const connections = new Set<Socket>();
  listen(server, "connection", (socket: Socket) => {
    connections.add(socket);
    listenOnce(socket, "close", () => connections.delete(socket));
  });
  return connections;
}

async function closeServer(server: Server, connections: ReadonlySet<Socket>): Promise<void> {
  const timer = after(farewellMilliseconds, () => connections.forEach((socket) => socket.destroy()));
  await new Promise<void>((resolve) => void server.close(() => resolve()));
  clearTimeout(timer);
}
