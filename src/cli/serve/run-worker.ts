import cluster from "node:cluster";
import type { GatewayConfig } from "../../config/gateway-config.ts";
import { parseSources } from "../../config/files/parse-sources.ts";
import { liveOf, noteReload } from "../../compiling/live.ts";
import type { RouteChanges } from "../../compiling/route-differences.ts";
import { firstLineOf } from "../../operating/reload.ts";
import { keepNamedFiles, type NamedFiles } from "../../named-files.ts";
import { listen } from "../../unattended/guarded.ts";
import { runInSlices } from "../../time-slices.ts";
import { describeFailure } from "../message-and-exit-code.ts";
import { unpackConfiguration } from "./carried-configuration.ts";
import type { CountAnswer } from "./primary-store.ts";
import type { ServeSettings } from "./settings.ts";
import { workerPeers } from "./ask-by-primary.ts";
import { type RunningServer, type ServiceLogger, startServer } from "./start-server.ts";
import { drainSecondsOn } from "./stop-server.ts";
import { exitCodes } from "../exit-codes.ts";

/** What the primary tells its workers; they never read the files themselves, so that all have the same. */
export type WorkerOrder =
  /** The next piece of the text that the next order is about. */
  | Readonly<{ order: "take"; piece: string }>
  /** To serve, on the port that the workers have taken if they have. */
  | Readonly<{ order: "serve"; takenPort: number | undefined }>
  /** All prepare the same, and what one of them refuses none puts into force. */
  | Readonly<{ order: "prepare" }>
  | Readonly<{ order: "put-into-force" | "drop" }>
  /** A configuration was not even prepared, or was dropped. */
  | Readonly<{ order: "note-refusal"; reason: string }>
  | Readonly<{ order: "stop"; delay: number }>;

/**
 * What a worker says: that it can hear orders, what became of the configuration that it was to prepare, that it prepares
 * none any more, and why it ends though nobody has asked for that.
 */
export type WorkerReport =
  | Readonly<{ report: "ready" | "prepared" | "leaving" }>
  | Readonly<{ report: "refused"; reason: string }>
  | Readonly<{ report: "failed"; told: string }>;

/** Serves as one of several processes, until the primary says stop or is gone. */
export async function runWorker(settings: ServeSettings, logger: ServiceLogger): Promise<number> {
  // A terminal sends these to all processes; the primary hears them as well, and tells what to do.
  for (const signal of ["SIGINT", "SIGHUP"]) listen(process, signal, () => undefined);
  // Without a primary Node would end the process at once, in the middle of requests.
  cluster.worker!.exitedAfterDisconnect = true;
  try {
    await carryOutOrders(settings, logger);
    return exitCodes.fine;
  } catch (error) {
    const { told, exitCode } = describeFailure(error);
    await report({ report: "failed", told });
    return exitCode;
  }
}

/** One order after the other, until one of them is to stop. */
function carryOutOrders(settings: ServeSettings, logger: ServiceLogger): Promise<void> {
  let server: RunningServer | undefined;
  let last: Promise<void> = Promise.resolve();
  let putIntoForce: (() => Promise<unknown>) | undefined;
  let isStopping = false;
  let text = "";
  const peers = workerPeers();

  return new Promise<void>((resolve, reject) => {
    listen(process, "message", (message: CountAnswer | WorkerOrder) => {
      if ("order" in message) take(message);
    });
    listen(process, "SIGTERM", () => take({ order: "stop", delay: drainSecondsOn("SIGTERM", settings) }));
    listen(process, "disconnect", () => take({ order: "stop", delay: 0 }));
    void report({ report: "ready" });

    function take(message: WorkerOrder): void {
      if (isStopping) return refuse(message);
      isStopping = message.order === "stop";
      last = last.then(() => carryOut(message)).catch(reject);
    }

    async function carryOut(message: WorkerOrder): Promise<void> {
      if (message.order === "take") text += message.piece;
      else if (message.order === "serve") await serve(message.takenPort);
      else if (message.order === "prepare") await report(await prepare());
      else if (message.order === "note-refusal") noteRefusal(server, message.reason);
      else if (message.order === "stop") resolve(server?.stop(message.delay));
      else await conclude(message.order);
    }
  });

  async function serve(takenPort: number | undefined): Promise<void> {
    server = await serveTaken(await readTaken(), settings, { logger, peers, takenPort });
  }

  async function prepare(): Promise<WorkerReport> {
    try {
      putIntoForce = await prepareReload(server!, await readTaken());
      return { report: "prepared" };
    } catch (error) {
      return { report: "refused", reason: firstLineOf((error as Error).message) };
    }
  }

  async function conclude(order: "put-into-force" | "drop"): Promise<void> {
    const prepared = putIntoForce;
    putIntoForce = undefined;
    if (order === "put-into-force") await prepared?.();
  }

  function readTaken(): Promise<Taken> {
    const taken = text;
    text = "";
    return parseTaken(taken, settings);
  }
}

/** A configuration, and the files that it names as the primary has read them. */
type Taken = Readonly<{ config: GatewayConfig; files: NamedFiles }>;

/** The primary has read it already, and told what there is to tell. */
async function parseTaken(text: string, { load }: ServeSettings): Promise<Taken> {
  const { sources, files } = unpackConfiguration(text);
  return { config: await runInSlices(parseSources(sources, { ...load, logger: false })), files };
}

function serveTaken(
  { config, files }: Taken,
  settings: ServeSettings,
  surroundings: Parameters<typeof startServer>[2],
): Promise<RunningServer> {
  keepNamedFiles(files);
  return startServer(config, settings, surroundings);
}

/** Until it is put into force, files are what they are to the configuration before. */
async function prepareReload(
  { gateway }: RunningServer,
  { config, files }: Taken,
): Promise<() => Promise<RouteChanges>> {
  const before = keepNamedFiles(files);
  try {
    const putIntoForce = await liveOf(gateway)!.prepareReload(config, { allowNoRoutes: true });
    return function putFilesIntoForce() {
      keepNamedFiles(files);
      return putIntoForce();
    };
  } finally {
    keepNamedFiles(before);
  }
}

/** Running requests may go on for longer than the primary waits for an answer. */
function refuse({ order }: WorkerOrder): void {
  if (order === "prepare") void report({ report: "leaving" });
}

/** The primary has logged it. */
function noteRefusal(server: RunningServer | undefined, reason: string): void {
  if (server !== undefined) noteReload(liveOf(server.gateway)!, { at: new Date(), error: new Error(reason) });
}

/** A primary that is gone needs no report. */
function report(report: WorkerReport): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected) process.send!(report, () => resolve());
    else resolve();
  });
}
