import cluster from "node:cluster";
import { parseConfig } from "../../config/parse-config.ts";
import { exitCodes } from "../command.ts";
import type { ServeSettings } from "./settings.ts";
import { type RunningServer, type ServiceLogger, startServer } from "./start-server.ts";

/** What the primary tells its workers; they never read the file themselves, so that all have the same. */
export type WorkerOrder =
  | Readonly<{ order: "serve"; text: string }>
  | Readonly<{ order: "reload"; text: string }>
  | Readonly<{ order: "stop"; delay: number }>;

/** What a worker says when it can hear orders. */
export const readyMessage = "ready";

/** Serves as one of several processes, until the primary says stop or is gone. */
export async function runWorker(settings: ServeSettings, logger: ServiceLogger): Promise<number> {
  // A terminal sends these to all processes; the primary hears them as well, and tells what to do.
  for (const signal of ["SIGINT", "SIGHUP"]) process.on(signal, () => undefined);
  // Without a primary Node would end the process at once, in the middle of requests.
  cluster.worker!.exitedAfterDisconnect = true;
  try {
    await carryOutOrders(settings, logger);
  } finally {
    // The channel to the primary would keep the process alive.
    process.removeAllListeners("disconnect");
    if (process.connected) process.disconnect();
  }
  return exitCodes.fine;
}

/** One order after the other, until one of them is to stop. */
function carryOutOrders(settings: ServeSettings, logger: ServiceLogger): Promise<void> {
  let server: RunningServer | undefined;
  let last: Promise<void> = Promise.resolve();
  let isStopping = false;

  return new Promise<void>((resolve, reject) => {
    process.on("message", take);
    process.on("SIGTERM", () => take({ order: "stop", delay: settings.drainDelay }));
    process.on("disconnect", () => take({ order: "stop", delay: 0 }));
    process.send!(readyMessage);

    function take(message: WorkerOrder): void {
      if (isStopping) return;
      isStopping = message.order === "stop";
      last = last.then(() => carryOut(message)).catch(reject);
    }

    async function carryOut(message: WorkerOrder): Promise<void> {
      if (message.order === "serve") server = await startServer(read(message.text), settings, logger);
      // What fails is logged by the gateway.
      else if (message.order === "reload") await server!.gateway.reload(read(message.text)).catch(() => undefined);
      else resolve(server?.stop(message.delay));
    }
  });

  /** The primary has read it already, and told what there is to tell. */
  function read(text: string): ReturnType<typeof parseConfig> {
    return parseConfig(text, { ...settings.parse, file: settings.file, logger: false });
  }
}
