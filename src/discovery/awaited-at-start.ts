import type { WatchedService } from "./watched-service.ts";

/** Knows whether the services that the first configuration names are still waited for; a reload makes nobody wait again. */
type Starting = Readonly<{ settle: (named: ReadonlySet<WatchedService>) => void; isOpening: () => boolean }>;

/** Makes what knows it; before a configuration is in force nobody is waited for. */
export function createStarting(): Starting {
  // Let go of when nobody waits any more: a reload may have dropped them.
  let awaited: ReadonlySet<WatchedService> | undefined;
  let hasBegun = false;
  return { settle, isOpening };

  function settle(named: ReadonlySet<WatchedService>): void {
    awaited = hasBegun ? undefined : named;
    hasBegun = true;
  }

  function isOpening(): boolean {
    if (awaited !== undefined && ![...awaited].some((watched) => watched.isOpening())) awaited = undefined;
    return awaited !== undefined;
  }
}
