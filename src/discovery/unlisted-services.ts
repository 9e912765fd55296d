import { addNewest, createByAge, removeAged } from "../by-age.ts";
import { every } from "../unattended/guarded.ts";
import type { Provider } from "./provider.ts";
import type { Service } from "./service.ts";
import type { WatchedService } from "./watched-service.ts";

/** The services that no configuration names: clients do, and so there is a limit to them. */
export type UnlistedServices = Readonly<{
  /** The watch of such a service; what is said instead where there is none. */
  find: (provider: Provider, service: Service) => WatchedService | "unknown" | "too-many";
  /** Ends the watch of a service of which the provider has no instances, and does not ask for it for a while. */
  forget: (watched: WatchedService) => void;
  close: () => void;
}>;

type Watches = Readonly<{
  keyOf: (provider: Provider, service: Service) => string;
  watch: (provider: Provider, service: Service) => WatchedService;
  /** Whether a configuration names it after all: then it stays. */
  isNamed: (watched: WatchedService) => boolean;
  drop: (watched: WatchedService) => void;
}>;

const mostWatched = 1_000;
const idleMilliseconds = 600_000;
const sweepMilliseconds = 60_000;
const unknownMilliseconds = 10_000;

/** Makes the list of services that clients have named. */
export function createUnlistedServices({ keyOf, watch, isNamed, drop }: Watches): UnlistedServices {
  const watched = new Map<string, WatchedService>();
  const unknown = createShortMemory();
  let sweeping: NodeJS.Timeout | undefined;
  return { find, forget, close };

  function find(provider: Provider, service: Service): WatchedService | "unknown" | "too-many" {
    const key = keyOf(provider, service);
    const known = watched.get(key);
    if (known !== undefined && !known.hasEnded()) return known;
    if (unknown.holds(key)) return "unknown";
    const added = watch(provider, service);
    if (isNamed(added)) return added;
    if (watched.size >= mostWatched) {
      drop(added);
      return "too-many";
    }
    watched.set(key, added);
    sweeping ??= every(sweepMilliseconds, sweep).unref();
    return added;
  }

  function forget(found: WatchedService): void {
    const key = keyOf(found.provider, found.service);
    if (!watched.delete(key) || isNamed(found)) return;
    unknown.add(key);
    drop(found);
  }

  function sweep(): void {
    const since = performance.now() - idleMilliseconds;
    for (const [key, found] of watched) {
      if (!found.hasEnded() && found.lastAsked() > since) continue;
      watched.delete(key);
      if (!isNamed(found)) drop(found);
    }
  }

  function close(): void {
    clearInterval(sweeping);
    watched.clear();
  }
}

type ShortMemory = Readonly<{ holds: (key: string) => boolean; add: (key: string) => void }>;

/** Remembers the last names that nobody knows, each for a short time. */
function createShortMemory(): ShortMemory {
  const until = createByAge<number>();
  return {
    holds: (key) => (until.entries.get(key)?.value ?? 0) > performance.now(),
    add(key) {
      addNewest(until, key, performance.now() + unknownMilliseconds);
      if (until.entries.size > mostWatched) removeAged(until, until.oldest!.key);
    },
  };
}
