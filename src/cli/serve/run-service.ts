import cluster from "node:cluster";
import { listen } from "../../unattended/guarded.ts";
import { chooseLogger } from "../../logging/logger.ts";
import type { CommandIo } from "../command.ts";
import { createLineLogger, type LineLogger } from "./line-logger.ts";
import { createLogOutput } from "./log-output.ts";
import { runAlone } from "./run-alone.ts";
import { runPrimary } from "./run-primary.ts";
import { runWorker } from "./run-worker.ts";
import type { ServeSettings } from "./settings.ts";

const lastWordsMilliseconds = 1_000;

/** Serves a gateway until it is told to stop; resolves to the exit code. */
export async function runService(settings: ServeSettings, io: Pick<CommandIo, "complain">): Promise<number> {
  const logger = createServiceLogger(settings.log);
  const exitCode = await run(settings, logger, io);
  // What is written and not read keeps a process alive.
  if (!(await logger.finish(lastWordsMilliseconds))) process.exit(exitCode);
  return exitCode;
}

function run(settings: ServeSettings, logger: LineLogger, io: Pick<CommandIo, "complain">): Promise<number> {
  if (cluster.isWorker) return runWorker(settings, logger);
  return settings.workers > 1 ? runPrimary(settings, logger, io) : runAlone(settings, logger);
}

function createServiceLogger(log: ServeSettings["log"]): LineLogger {
  if (log === "none") return silentLogger;
  const logger = createLineLogger(createLogOutput());
  listen(process, "exit", logger.flush);
  return logger;
}

const silentLogger: LineLogger = {
  ...chooseLogger(false),
  flush: () => undefined,
  finish: () => Promise.resolve(true),
  relay: () => undefined,
};
