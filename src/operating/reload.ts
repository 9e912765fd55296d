import { attempt } from "../unattended/attempt.ts";
import type { GatewayConfig } from "../config/gateway-config.ts";
import { ConfigError } from "../errors.ts";
import { closing } from "../admission/find-refusal.ts";
import type { Logger } from "../logging/logger.ts";
import type { Engine } from "../forwarding/engines/engine.ts";
import { runInSlices } from "../time-slices.ts";
import { noteNewLocks } from "../compiling/sockets-locked-anew.ts";
import type { RouteChanges } from "../compiling/route-differences.ts";
import { settleShared } from "../compiling/compile-pipeline.ts";
import { allRoutesOf } from "../compiling/all-routes.ts";
import type { NextConfiguration, PrepareConfiguration } from "../compiling/compiled-configuration.ts";
import type { HealthMonitor } from "../capabilities/health-checks/health-monitor.ts";
import { refuseReloadWithoutRoutes } from "./refuse-reload-without-routes.ts";
import { watchHosts } from "./watch-hosts.ts";
import type { Lifecycle } from "../exchange/lifecycle.ts";
import { type Live, noteReload, type PrepareReload, type ReloadOptions } from "../compiling/live.ts";

/** Replaces a gateway's configuration while it runs. */
export type Reload = (config: GatewayConfig, options?: ReloadOptions) => Promise<RouteChanges>;

/** What a reload works on. */
type ReloadParts = Readonly<{
  live: Live;
  prepare: PrepareConfiguration;
  lifecycle: Lifecycle;
  engine: Engine;
  logger: Logger;
  monitor: HealthMonitor;
}>;

/** Makes the function that reloads a gateway: one at a time, in the order of the calls, so that the last one wins. */
export function createReload({ live, prepare, lifecycle, engine, logger, monitor }: ReloadParts): {
  reload: Reload;
  prepareReload: PrepareReload;
} {
  const releasing = { logger, failure: "The engine could not release connections; they stay." };
  let last: Promise<unknown> = Promise.resolve();
  return { reload, prepareReload };

  function reload(config: GatewayConfig, options?: ReloadOptions): Promise<RouteChanges> {
    const reloading = last.then(() => tryToReplace(config, options));
    last = reloading.catch(() => undefined);
    return reloading;
  }

  async function prepareReload(config: GatewayConfig, options: ReloadOptions = {}): ReturnType<PrepareReload> {
    refuseAsClosing(lifecycle);
    if (options.allowNoRoutes !== true) refuseReloadWithoutRoutes(config);
    const next = await runInSlices(prepare(config, live.present));
    return async function putIntoForce() {
      refuseAsClosing(lifecycle);
      replaceWith(next);
      logChanges(next, logger);
      await lifecycle.destroyRetired();
      return next.changes;
    };
  }

  async function tryToReplace(config: GatewayConfig, options?: ReloadOptions): Promise<RouteChanges> {
    try {
      return await (
        await prepareReload(config, options)
      )();
    } catch (error) {
      noteFailedReload(live, error, logger);
      throw error;
    }
  }

  /** From here to the end nothing can fail, and no request comes in between. */
  function replaceWith({ present, changes, connections, services, settleStore }: NextConfiguration): void {
    const before = live.present;
    live.present = present;
    live.lastFailure = undefined;
    noteReload(live, { at: present.loadedAt, changes });
    settleShared(present.parts);
    services.settle();
    settleStore();
    watchHosts(present, monitor);
    const kept = new Set(allRoutesOf(present).map(({ version }) => version));
    for (const { version } of allRoutesOf(before)) if (!kept.has(version)) version.isRetired = true;
    noteNewLocks(before, present);
    for (const settings of connections.settle()) attempt(releasing, () => engine.release?.(settings));
  }
}

/** What a reload opened behind the end of a gateway would be closed by nobody. */
function refuseAsClosing({ isClosing }: Lifecycle): void {
  if (isClosing()) throw closing();
}

/** Notes why a gateway still has the configuration it had. */
export function noteFailedReload(live: Live, error: unknown, logger: Logger): undefined {
  const failure = { at: new Date(), error };
  live.lastFailure = failure;
  noteReload(live, failure);
  logRefusal(error, logger);
}

/** The problems of a configuration have been logged one by one when it was read. */
export function logRefusal(error: unknown, logger: Logger): void {
  const reason = firstLineOf(error instanceof Error ? error.message : String(error));
  const cause = error instanceof ConfigError ? { code: error.code, problems: error.problems.length } : { err: error };
  logger.error(cause, `The configuration was not reloaded, the one before stays in force. ${reason}`);
}

/** The further lines of a message may be thousands. */
export function firstLineOf(message: string): string {
  const end = message.indexOf("\n");
  return end === -1 ? message : message.slice(0, end);
}

const mostNames = 20;

function logChanges({ present, changes }: NextConfiguration, logger: Logger): void {
  const { added, removed, changed } = changes;
  const counts = `${added.length} added, ${removed.length} removed, ${changed.length} changed`;
  logger.info(
    {
      routes: present.routes.size,
      added: added.slice(0, mostNames),
      removed: removed.slice(0, mostNames),
      changed: changed.slice(0, mostNames),
    },
    `The configuration was reloaded: ${present.routes.size} routes, ${counts}.`,
  );
}
