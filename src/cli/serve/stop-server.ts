import type { Server } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { Gateway } from "../../gateway.ts";
import type { Logger } from "../../logging/logger.ts";
import { after } from "../../unattended/guarded.ts";
import type { ServeSettings } from "./settings.ts";

/** A server that runs, and whether it still takes requests. */
type Serving = Readonly<{ server: Server; gateway: Gateway; serverState: { isDraining: boolean }; logger: Logger }>;

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
  { server, gateway, serverState, logger }: Serving,
  { delay, health, grace }: Stopping,
): Promise<void> {
  serverState.isDraining = true;
  const how = health === undefined ? "no new requests are taken" : "readiness fails from now on";
  logger.info({ delay, running: gateway.health().running }, `Stopping: ${how}.`);
  if (delay > 0) await wait(delay * 1_000);
  await closeAll(server, gateway, grace);
  logger.info({}, "Stopped.");
}

async function closeAll(server: Server, gateway: Gateway, grace: number): Promise<void> {
  await gateway.close({ grace });
  const timer = after(farewellMilliseconds, () => server.closeAllConnections());
  await new Promise<void>((resolve) => void server.close(() => resolve()));
  clearTimeout(timer);
}
