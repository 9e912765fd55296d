import { type GatewayConfig, globalConfigOf } from "../config/gateway-config.ts";
import { ConfigError, GatewayError } from "../errors.ts";
import { closing } from "../flow/admit-request.ts";
import type { Logger } from "../logger.ts";
import type { Engine } from "../proxy/engine.ts";
import { runInSlices } from "../slices.ts";
import type { RouteChanges } from "./compare-routes.ts";
import type { NextGeneration, PrepareGeneration } from "./generation.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { Live } from "./live.ts";

/** What a reload may do. */
export type ReloadOptions = Readonly<{
  /** Whether the new configuration may have no routes; otherwise that is refused, as it is seldom meant. */
  allowNoRoutes?: boolean | undefined;
}>;

/** Replaces a gateway's configuration while it runs. */
export type Reload = (config: GatewayConfig, options?: ReloadOptions) => Promise<RouteChanges>;

/** What a reload works on. */
export type ReloadParts = Readonly<{
  live: Live;
  prepare: PrepareGeneration;
  lifecycle: Lifecycle;
  engine: Engine;
  logger: Logger;
}>;

/** Makes the function that reloads a gateway: one at a time, in the order of the calls, so that the last one wins. */
export function createReload({ live, prepare, lifecycle, engine, logger }: ReloadParts): Reload {
  let last: Promise<unknown> = Promise.resolve();

  return function reload(config, { allowNoRoutes = false } = {}) {
    const reloading = last.then(() => tryToReplace(config, allowNoRoutes));
    last = reloading.catch(() => undefined);
    return reloading;
  };

  async function tryToReplace(config: GatewayConfig, allowNoRoutes: boolean): Promise<RouteChanges> {
    try {
      if (lifecycle.isClosing()) throw closing();
      if (!allowNoRoutes) refuseNoRoutes(config);
      const next = await runInSlices(prepare(config, live.generation));
      replaceWith(next);
      logChanges(next, logger);
      await lifecycle.destroyRetired();
      return next.changes;
    } catch (error) {
      noteFailure(live, error, logger);
      throw error;
    }
  }

  /** From here to the end nothing can fail, and no request comes in between. */
  function replaceWith({ generation, connections }: NextGeneration): void {
    const before = live.generation;
    live.generation = generation;
    live.lastFailure = undefined;
    const kept = new Set(generation.compiled.map(({ standing }) => standing));
    for (const { standing } of before.compiled) if (!kept.has(standing)) standing.isRetired = true;
    for (const settings of connections.settle()) engine.release?.(settings);
  }
}

/** Notes why a gateway still has the configuration it had. */
export function noteFailure(live: Live, error: unknown, logger: Logger): undefined {
  live.lastFailure = { at: new Date(), error };
  logRefusal(error, logger);
}

/** The problems of a configuration have been logged one by one when it was read. */
export function logRefusal(error: unknown, logger: Logger): void {
  const [reason] = (error instanceof Error ? error.message : String(error)).split("\n");
  const cause = error instanceof ConfigError ? { code: error.code, problems: error.problems.length } : { err: error };
  logger.error(cause, `The configuration was not reloaded, the one before stays in force. ${reason}`);
}

/** An empty configuration is most likely a mistake. */
export function refuseNoRoutes(config: GatewayConfig): void {
  if (globalConfigOf(config) === undefined || config.routes.length > 0) return;
  throw new GatewayError(
    "reload-without-routes",
    "The new configuration has no routes: every request would fall through. If that is meant, reload with allowNoRoutes: true.",
  );
}

const mostNames = 20;

function logChanges({ generation, changes }: NextGeneration, logger: Logger): void {
  const { added, removed, changed } = changes;
  const counts = `${added.length} added, ${removed.length} removed, ${changed.length} changed`;
  logger.info(
    {
      routes: generation.routes.size,
      added: added.slice(0, mostNames),
      removed: removed.slice(0, mostNames),
      changed: changed.slice(0, mostNames),
    },
    `The configuration was reloaded: ${generation.routes.size} routes, ${counts}.`,
  );
}
