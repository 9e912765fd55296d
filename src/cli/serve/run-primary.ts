import { certificateFilesOf } from "../../compiling/certificate-files.ts";
import { readNamedFiles } from "../../named-files.ts";
import { listen } from "../../unattended/guarded.ts";
import type { CommandIo } from "../command.ts";
import { packConfiguration } from "./carried-configuration.ts";
import { loadFirst } from "./load-at-start.ts";
import { createWorkerReloading, type WorkerReloading } from "./reload-workers.ts";
import type { ServeSettings } from "./settings.ts";
import { formatAddress, type ServiceLogger, tellLink } from "./start-server.ts";
import { drainSecondsOn } from "./stop-server.ts";
import { createWorkerPool } from "./worker-pool.ts";

/** Starts the workers, and tells all of them what signals and the files ask for. */
export async function runPrimary(
  settings: ServeSettings,
  logger: ServiceLogger,
  { complain }: Pick<CommandIo, "complain">,
): Promise<number> {
  const { workers } = settings;
  // A signal may come before there is anything to reload.
  const starting = Promise.withResolvers<WorkerReloading>();
  listen(process, "SIGHUP", () => void starting.promise.then(({ reload }) => reload()));
  const first = await loadFirst(settings, logger);
  const pool = createWorkerPool({
    count: workers,
    text: packConfiguration({ sources: first.sources, files: readNamedFiles(certificateFilesOf(first.config)) }),
    listens({ address: host, port }) {
      const fields = { host, port, workers, routes: first.config.routes.length };
      tellLink(settings, { host, port });
      logger.info(fields, `Listening on ${formatAddress({ host, port })}`);
    },
    grace: settings.grace,
    logger,
    complain,
  });
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    listen(process, signal, () => pool.stop(drainSecondsOn(signal, settings)));
  }
  const reloading = createWorkerReloading({ settings, logger, pool, first });
  starting.resolve(reloading);
  try {
    return await pool.run();
  } finally {
    reloading.close();
  }
}
