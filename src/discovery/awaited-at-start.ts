import type { WatchedService } from "./watched-service.ts";

/** Knows whether the services that the first configuration names are still waited for; a reload makes nobody wait again. */
export type Starting = Readonly<{ settle: (named: ReadonlySet<WatchedService>) => void; isOpening: () => boolean }>;

/** Makes what knows it; before a configuration is in force nobody is waited for. */
export function createStarting(): Starting {
  let first: ReadonlySet<WatchedService> | undefined;
  let isOver = true;
  return { settle, isOpening };

  function settle(named: ReadonlySet<WatchedService>): void {
    isOver = first !== undefined;
    first ??= named;
  }

  function isOpening(): boolean {
    if (!isOver) isOver = ![...first!].some((watched) => watched.isOpening());
    return !isOver;
  }
}
