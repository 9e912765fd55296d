import cluster from "node:cluster";
import { exitCodes } from "../command.ts";
import { createLineLogger } from "./line-logger.ts";
import { runPrimary } from "./run-primary.ts";
import { runWorker } from "./run-worker.ts";
import { formatAddress, type ServiceLogger, startServer } from "./start-server.ts";
import type { ServeSettings } from "./settings.ts";

/** Serves a gateway until it is told to stop; resolves to the exit code. */
export async function runService(settings: ServeSettings): Promise<number> {
  const logger = createServiceLogger(settings.log);
  if (cluster.isWorker) return runWorker(settings, logger);
  if (settings.workers > 1) return runPrimary(settings, logger);
  return runAlone(settings, logger);
}

async function runAlone(settings: ServeSettings, logger: ServiceLogger): Promise<number> {
  const { address, routes, reload, stop } = await startServer(settings, logger);
  logger.info({ ...address, routes }, `Listening on ${formatAddress(address)}`);
  let stopping: Promise<void> | undefined;
  process.on("SIGHUP", () => void reload());
  await new Promise<void>((resolve) => {
    process.on("SIGTERM", () => stopOnce(settings.drainDelay));
    process.on("SIGINT", () => stopOnce(0));

    function stopOnce(delay: number): void {
      // Who asks twice does not want to wait.
      if (stopping !== undefined) process.exit(exitCodes.problems);
      stopping = stop(delay).then(resolve);
    }
  });
  return exitCodes.fine;
}

function createServiceLogger(log: ServeSettings["log"]): ServiceLogger {
  const logger = createLineLogger(log === "none" ? () => undefined : (text) => process.stdout.write(text));
  process.on("exit", logger.flush);
  return logger;
}
