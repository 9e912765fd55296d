import cluster from "node:cluster";
import { listen } from "../../unattended/guarded.ts";
import { chooseLogger } from "../../logging/logger.ts";
import { type CommandIo, UsageError } from "../command.ts";
import { createLineLogger, type LineLogger } from "./line-logger.ts";
import { createLogOutput } from "./log-output.ts";
import { isOwnWorker } from "./own-worker.ts";
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

async function run(settings: ServeSettings, logger: LineLogger, io: Pick<CommandIo, "complain">): Promise<number> {
  if (!cluster.isWorker) return runFirst(settings, logger, io);
  try {
    return await (isOwnWorker ? runWorker(settings, logger) : runForAnother(settings, logger));
  } finally {
    // The channel to the primary would keep the process alive.
    process.removeAllListeners("disconnect");
    if (process.connected) process.disconnect();
  }
}

function runFirst(settings: ServeSettings, logger: LineLogger, io: Pick<CommandIo, "complain">): Promise<number> {
  return settings.workers > 1 ? runPrimary(settings, logger, io) : runAlone(settings, logger);
}

/** Serves as the worker of another program, which may have several of them: they share the port. */
function runForAnother(settings: ServeSettings, logger: LineLogger): Promise<number> {
  if (settings.workers === 1) return runAlone(settings, logger);
  throw new UsageError(
    "--workers starts processes, which one that runs as a worker of another program cannot do (NODE_UNIQUE_ID is set, " +
      "as by pm2 in cluster mode): leave --workers out, or start waymark as a process of its own (in pm2: exec_mode fork).",
  );
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
