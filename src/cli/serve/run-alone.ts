import { parseSources } from "../../config/files/parse-sources.ts";
import { rereadSources } from "../../config/files/read-sources.ts";
import { liveOf } from "../../compiling/live.ts";
import { noteFailedReload } from "../../operating/reload.ts";
import { listen } from "../../unattended/guarded.ts";
import { runInSlices } from "../../time-slices.ts";
import { watchConfig } from "../../operating/watch-config.ts";
import { noPeers } from "../../peers.ts";
import { loadFirst } from "./load-at-start.ts";
import type { ServeSettings } from "./settings.ts";
import { formatAddress, type ServiceLogger, startServer } from "./start-server.ts";
import { drainSecondsOn } from "./stop-server.ts";
import { exitCodes } from "../exit-codes.ts";

type Service = Readonly<{ reload: () => Promise<void>; stop: (delay: number) => Promise<void> }>;

/** Serves from this process until a signal tells it to stop. */
export async function runAlone(settings: ServeSettings, logger: ServiceLogger): Promise<number> {
  // A signal may come before there is anything to reload or stop.
  const starting = startService(settings, logger);
  let stopping: Promise<void> | undefined;
  listen(process, "SIGHUP", () => void starting.then(({ reload }) => reload(), ignore));
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      listen(process, signal, () => stopOnce(drainSecondsOn(signal, settings)));
    }

    function stopOnce(delay: number): void {
      // A second signal asks for an end at once.
      if (stopping !== undefined) process.exit(exitCodes.problems);
      stopping = starting.then(({ stop }) => stop(delay)).then(resolve, ignore);
    }
  });
  await starting;
  await stopped;
  return exitCodes.fine;
}

/** The caller that waits for the start hears of its failure. */
function ignore(): void {
  return undefined;
}

async function startService(settings: ServeSettings, logger: ServiceLogger): Promise<Service> {
  const { paths, load } = settings;
  const { config } = await loadFirst(settings, logger);
  const { address, gateway, stop } = await startServer(config, settings, { logger, peers: noPeers });
  const watcher = settings.watch ? watchConfig(paths, gateway, { ...load, logger }) : undefined;
  let last: Promise<void> = Promise.resolve();
  logger.info({ ...address, routes: config.routes.length }, `Listening on ${formatAddress(address)}`);
  return {
    /** One after the other: the last signal counts, however long reading takes. */
    reload() {
      last = last.then(() => watcher?.check() ?? readAnew());
      return last;
    },
    stop(delay) {
      watcher?.close();
      return stop(delay);
    },
  };

  async function readAnew(): Promise<void> {
    const options = { ...load, logger };
    const next = await rereadSources(paths, options)
      .then(({ sources }) => runInSlices(parseSources(sources, options)))
      .catch((error: unknown) => noteFailedReload(liveOf(gateway)!, error, logger));
    // The gateway itself logs what fails in a reload.
    if (next !== undefined) await gateway.reload(next).catch(ignore);
  }
}
