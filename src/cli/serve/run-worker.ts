import cluster from "node:cluster";
import { exitCodes } from "../command.ts";
import type { ServeSettings } from "./settings.ts";
import { type ServiceLogger, startServer } from "./start-server.ts";

/** What the primary tells its workers. */
export type WorkerOrder = Readonly<{ order: "reload" }> | Readonly<{ order: "stop"; delay: number }>;

/** Serves as one of several processes, until the primary says stop or is gone. */
export async function runWorker(settings: ServeSettings, logger: ServiceLogger): Promise<number> {
  // A terminal sends these to all processes; the primary hears them as well, and tells what to do.
  for (const signal of ["SIGINT", "SIGHUP"]) process.on(signal, () => undefined);
  try {
    await serveUntilStopped(settings, logger);
  } finally {
    // The channel to the primary would keep the process alive.
    process.removeAllListeners("disconnect");
    if (process.connected) process.disconnect();
  }
  return exitCodes.fine;
}

async function serveUntilStopped(settings: ServeSettings, logger: ServiceLogger): Promise<void> {
  // Without a primary Node would end the process at once, in the middle of requests.
  cluster.worker!.exitedAfterDisconnect = true;
  const { reload, stop } = await startServer(settings, logger);
  let stopping: Promise<void> | undefined;
  await new Promise<void>((resolve) => {
    process.on("message", (message: WorkerOrder) => {
      if (message.order === "reload") void reload();
      else stopOnce(message.delay);
    });
    process.on("SIGTERM", () => stopOnce(settings.drainDelay));
    process.on("disconnect", () => stopOnce(0));

    function stopOnce(delay: number): void {
      stopping ??= stop(delay).then(resolve);
    }
  });
}
