import cluster from "node:cluster";
import { createLineLogger } from "./line-logger.ts";
import { runAlone } from "./run-alone.ts";
import { runPrimary } from "./run-primary.ts";
import { runWorker } from "./run-worker.ts";
import type { ServeSettings } from "./settings.ts";
import type { ServiceLogger } from "./start-server.ts";

/** Serves a gateway until it is told to stop; resolves to the exit code. */
export function runService(settings: ServeSettings): Promise<number> {
  const logger = createServiceLogger(settings.log);
  if (cluster.isWorker) return runWorker(settings, logger);
  return settings.workers > 1 ? runPrimary(settings, logger) : runAlone(settings, logger);
}

function createServiceLogger(log: ServeSettings["log"]): ServiceLogger {
  const logger = createLineLogger(log === "none" ? () => undefined : (text) => process.stdout.write(text));
  process.on("exit", logger.flush);
  return logger;
}
