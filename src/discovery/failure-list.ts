import type { Logger } from "../logging/logger.ts";
import { labelOf } from "./service.ts";
import type { WatchedService, WatchEvents } from "./watched-service.ts";

/** A provider has begun to fail, or works again. */
export type RegistryChange = Readonly<{ name: string; state: "there" | "away" }>;

/** Knows which providers fail; many services of one that is away are one failure. */
type FailureList = Pick<WatchEvents, "failed" | "recovered">;

/** Makes the list; what changes is logged and told once. */
export function createFailureList(logger: Logger, changed: (change: RegistryChange) => void): FailureList {
  const byProvider = new Map<string, Set<WatchedService>>();
  return { failed, recovered };

  function failed(watched: WatchedService, error: unknown): void {
    const { name } = watched.provider;
    const failing = byProvider.get(name);
    if (failing !== undefined) return void failing.add(watched);
    byProvider.set(name, new Set([watched]));
    const fields = { provider: name, service: labelOf(watched.service), err: error };
    logger.warn(fields, "The provider of services fails: the instances that it told last go on for a while.");
    changed({ name, state: "away" });
  }

  function recovered(watched: WatchedService): void {
    const { name } = watched.provider;
    const failing = byProvider.get(name);
    failing?.delete(watched);
    if (failing?.size !== 0) return;
    byProvider.delete(name);
    logger.info({ provider: name }, "The provider of services works again.");
    changed({ name, state: "there" });
  }
}
