import { every } from "../unattended/guarded.ts";
import { createOutcomes, type Outcome } from "./names-without-service.ts";
import type { Provider } from "./provider.ts";
import type { Service } from "./service.ts";
import { createBoundedNames } from "./bound-new-names.ts";
import type { WatchedService } from "./watched-service.ts";

/** The services that no configuration names: clients do, and so there is a limit to them. */
export type UnlistedServices = Readonly<{
  /** The watch of such a service; what is said instead where there is none. */
  find: (provider: Provider, service: Service) => WatchedService | Outcome;
  close: () => void;
}>;

type Watches = Readonly<{
  keyOf: (provider: Provider, service: Service) => string;
  watch: (provider: Provider, service: Service) => WatchedService;
  /** Whether a configuration names it after all: then it stays. */
  isNamed: (watched: WatchedService) => boolean;
  drop: (watched: WatchedService) => void;
}>;

const mostFound = 1_000;
const idleMilliseconds = 600_000;
const sweepMilliseconds = 60_000;

/** Makes the list of services that clients have named; those of which instances were told stay, and no others. */
export function createUnlistedServices({ keyOf, watch, isNamed, drop }: Watches): UnlistedServices {
  const found = new Map<string, WatchedService>();
  const unanswered = createBoundedNames(judge);
  const outcomes = createOutcomes();
  let sweeping: NodeJS.Timeout | undefined;
  return { find, close };

  function find(provider: Provider, service: Service): WatchedService | Outcome {
    const key = keyOf(provider, service);
    const known = unanswered.get(key) ?? found.get(key);
    if (known !== undefined && !known.hasEnded()) return known;
    const outcome = outcomes.of(key);
    if (outcome !== undefined) return outcome;
    const added = watch(provider, service);
    if (isNamed(added)) return added;
    if (found.size < mostFound && unanswered.add(key, added)) return added;
    drop(added);
    return "unavailable";
  }

  function judge(key: string, added: WatchedService): void {
    if (added.hasEnded() || isNamed(added)) return;
    if (added.present.length > 0 && found.size < mostFound) {
      found.set(key, added);
      sweeping ??= every(sweepMilliseconds, sweep).unref();
      return;
    }
    outcomes.remember(key, added.hasInstances() === false ? "unknown" : "unavailable");
    drop(added);
  }

  function sweep(): void {
    const since = performance.now() - idleMilliseconds;
    for (const [key, watched] of found) {
      if (!watched.hasEnded() && watched.lastAsked() > since) continue;
      found.delete(key);
      if (!isNamed(watched)) drop(watched);
    }
  }

  function close(): void {
    clearInterval(sweeping);
    found.clear();
    unanswered.clear();
  }
}
