import { rereadConfigText } from "../../config/load-config.ts";
import { certificateFilesOf } from "../../compiling/certificate-files.ts";
import type { GatewayConfig } from "../../config/gateway-config.ts";
import { parseText } from "../../config/parse-config.ts";
import { logRefusal, refuseNoRoutes } from "../../operating/reload.ts";
import { isPassing } from "../../operating/is-passing.ts";
import { listen } from "../../unattended/guarded.ts";
import { chooseLogger } from "../../logging/logger.ts";
import { runInSlices } from "../../time-slices.ts";
import { watchFile } from "../../operating/watch-file.ts";
import type { CommandIo } from "../command.ts";
import { createServiceGateway } from "./create-service-gateway.ts";
import { loadFirst } from "./load-first.ts";
import type { ServeSettings } from "./settings.ts";
import { formatAddress, type ServiceLogger } from "./start-server.ts";
import { createWorkerPool } from "./worker-pool.ts";

const lookMilliseconds = 5_000;

/** Starts the workers, and tells all of them what signals and the file ask for. */
export async function runPrimary(
  settings: ServeSettings,
  logger: ServiceLogger,
  { complain }: Pick<CommandIo, "complain">,
): Promise<number> {
  const { file, parse, workers } = settings;
  let last: Promise<void> = Promise.resolve();
  // A signal may come before there is anything to reload.
  const loading = loadFirst(settings, logger);
  listen(process, "SIGHUP", () => void loading.then(() => reload(true), ignore));
  let { config, text } = await loading;
  const pool = createWorkerPool({
    count: workers,
    text,
    listens({ address: host, port }) {
      const fields = { host, port, workers, routes: config.routes.length };
      logger.info(fields, `Listening on ${formatAddress({ host, port })}`);
    },
    grace: settings.grace,
    logger,
    complain,
  });
  listen(process, "SIGTERM", () => pool.stop(settings.health === undefined ? 0 : settings.drainDelay));
  listen(process, "SIGINT", () => pool.stop(0));
  const watcher = settings.watch
    ? watchFile(file, lookMilliseconds, ({ ofCompanions }) => reload(ofCompanions))
    : undefined;
  void watcher?.accompany(certificateFilesOf(config));
  try {
    return await pool.run();
  } finally {
    watcher?.close();
  }

  /** One after the other. Only what all workers can use is put into force: one that is started later gets it, too. */
  function reload(isForced: boolean): Promise<void> {
    last = last.then(() => readAnew(isForced)).catch(noteRefusal);
    return last;
  }

  function noteRefusal(error: unknown): void {
    logRefusal(error, logger);
    if (isPassing(error)) watcher?.tellAgain();
  }

  async function readAnew(isForced: boolean): Promise<void> {
    const options = { ...parse, file, logger };
    const next = await rereadConfigText(file, options);
    if (next === text && !isForced) return;
    const parsed = await runInSlices(parseText(next, options));
    if (config.routes.length > 0) refuseNoRoutes(parsed);
    await watcher?.accompany(certificateFilesOf(parsed));
    await pool.replace(next, () => tryAlone(parsed));
    [config, text] = [parsed, next];
  }

  async function tryAlone(parsed: GatewayConfig): Promise<void> {
    const gateway = await createServiceGateway(parsed, settings, chooseLogger(false));
    await gateway.close();
  }
}

/** The caller that waits for the start hears of its failure. */
function ignore(): void {
  return undefined;
}
