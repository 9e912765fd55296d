import { certificateFilesOf } from "../../compiling/certificate-files.ts";
import { digestSources, type Sources } from "../../config/files/sources.ts";
import { filesOf, type GatewayConfig } from "../../config/gateway-config.ts";
import { chooseLogger } from "../../logging/logger.ts";
import { readNamedFiles } from "../../named-files.ts";
import { isPassing } from "../../operating/passing-file-error.ts";
import { parseAnew, readAnew } from "../../operating/read-anew.ts";
import { refuseReloadWithoutRoutes } from "../../operating/refuse-reload-without-routes.ts";
import { logRefusal } from "../../operating/reload.ts";
import type { FileChange } from "../../operating/watch-files.ts";
import { watchSources } from "../../operating/watch-sources.ts";
import { packConfiguration } from "./carried-configuration.ts";
import { createServiceGateway } from "./create-service-gateway.ts";
import type { ServeSettings } from "./settings.ts";
import type { ServiceLogger } from "./start-server.ts";
import type { WorkerPool } from "./worker-pool.ts";

/** What the workers start with, and who is told of what comes after it. */
type ReloadingParts = Readonly<{
  settings: ServeSettings;
  logger: ServiceLogger;
  pool: WorkerPool;
  first: Readonly<{ config: GatewayConfig; sources: Sources }>;
}>;

/** Replaces the configuration of all workers when it is asked for, and when its files change if that is asked for. */
export type WorkerReloading = Readonly<{ reload: () => Promise<void>; close: () => void }>;

const lookMilliseconds = 5_000;

/** Watches the configuration of workers, if the settings say so, and reloads it. */
export function createWorkerReloading({ settings, logger, pool, first }: ReloadingParts): WorkerReloading {
  const { paths, load: options } = settings;
  let config = first.config;
  let known = digestSources(first.sources);
  let last: Promise<void> = Promise.resolve();
  const watched = { paths, options, interval: lookMilliseconds };
  const watcher = settings.watch ? watchSources(watched, reload) : undefined;
  watcher?.expect(filesOf(config));
  void watcher?.accompany(certificateFilesOf(config));
  return { reload: () => reload(), close: () => watcher?.close() };

  /** One after the other. Only what all workers can use is put into force: one that is started later gets it, too. */
  function reload(change?: FileChange): Promise<void> {
    last = last.then(() => reloadNow(change)).catch(noteRefusal);
    return last;
  }

  function noteRefusal(error: unknown): void {
    logRefusal(error, logger);
    pool.noteRefusal(error instanceof Error ? error.message : String(error));
    if (isPassing(error)) watcher?.tellAgain();
  }

  async function reloadNow(change: FileChange | undefined): Promise<void> {
    const rereading = { paths, options: { ...options, logger }, change };
    const read = await readAnew(rereading);
    const next = read === undefined ? known : digestSources(read);
    if (read === undefined || (next === known && change?.ofCompanions === false)) return;
    const parsed = await parseAnew(read, rereading, config);
    if (config.routes.length > 0) refuseReloadWithoutRoutes(parsed);
    const named = certificateFilesOf(parsed);
    await watcher?.accompany(named);
    const text = packConfiguration({ sources: read, files: readNamedFiles(named) });
    await pool.replace(text, () => tryAlone(parsed));
    [config, known] = [parsed, next];
    watcher?.expect(filesOf(config));
  }

  async function tryAlone(parsed: GatewayConfig): Promise<void> {
    const gateway = await createServiceGateway(parsed, settings, chooseLogger(false));
    await gateway.close();
  }
}
