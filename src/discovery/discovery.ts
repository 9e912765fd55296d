import type { Logger } from "../logging/logger.ts";
import { createFailureList, type RegistryChange } from "./failure-list.ts";
import type { Provider } from "./provider.ts";
import { createUnlistedServices, type UnlistedServices } from "./unlisted-services.ts";
import { createStarting } from "./awaited-at-start.ts";
import { labelOf, type Service } from "./service.ts";
import { createWatchedService, type WatchedService, type WatchEvents } from "./watched-service.ts";

/** The services that one gateway looks for, over all its configurations. */
export type Discovery = Readonly<{
  /** The provider of a key; the same one as long as configurations have it. */
  provider: (key: string, create: () => Provider) => Provider;
  /** The watch of a service; the same one as long as neither it nor its provider changes. */
  watch: (provider: Provider, service: Service) => WatchedService;
  unlisted: UnlistedServices;
  /** Begins to ask for the services that a configuration names, and ends what is watched for no provider of it. */
  settle: (named: ReadonlySet<WatchedService>, providers: ReadonlySet<Provider>) => void;
  /** Whether first lists of the services that the first configuration names are still waited for. */
  isOpening: () => boolean;
  /** All services that are looked for at the moment. */
  watched: () => readonly WatchedService[];
  close: () => void;
}>;

/** Who hears of what happens to the providers. */
export type DiscoverySurroundings = Readonly<{ logger: Logger; changed: (change: RegistryChange) => void }>;

/** Makes what a gateway knows of where services run. */
export function createDiscovery({ logger, changed }: DiscoverySurroundings): Discovery {
  const providers = new Map<string, Provider>();
  const services = new Map<string, WatchedService>();
  const events: WatchEvents = { ...createFailureList(logger, changed), passedOver: createPassedOver(logger) };
  const unlisted = createUnlistedServices({ keyOf, watch, drop, isNamed: (watched) => named.has(watched) });
  let named: ReadonlySet<WatchedService> = new Set();
  let isClosed = false;
  const watched = (): readonly WatchedService[] => [...services.values()];
  const starting = createStarting();
  return { provider, watch, unlisted, settle, isOpening: starting.isOpening, watched, close };

  function provider(key: string, create: () => Provider): Provider {
    const known = providers.get(key) ?? create();
    providers.set(key, known);
    return known;
  }

  function watch(provider: Provider, service: Service): WatchedService {
    const key = keyOf(provider, service);
    const known = services.get(key);
    if (known !== undefined) return known;
    const watched = createWatchedService(service, provider, events);
    services.set(key, watched);
    return watched;
  }

  function settle(next: ReadonlySet<WatchedService>, kept: ReadonlySet<Provider>): void {
    for (const watched of services.values()) {
      const stays = next.has(watched) || (!named.has(watched) && kept.has(watched.provider));
      if (!stays) drop(watched);
    }
    for (const known of providers.values()) if (!kept.has(known)) dropProvider(known);
    named = next;
    if (!isClosed) for (const watched of named) watched.begin();
    starting.settle(named);
  }

  function drop(watched: WatchedService): void {
    services.delete(keyOf(watched.provider, watched.service));
    watched.end();
  }

  function dropProvider(known: Provider): void {
    providers.delete(known.key);
    known.close();
  }

  function close(): void {
    isClosed = true;
    unlisted.close();
    for (const watched of services.values()) drop(watched);
    for (const known of providers.values()) dropProvider(known);
  }
}

function createPassedOver(logger: Logger): WatchEvents["passedOver"] {
  return function passedOver({ provider, service }, faults) {
    const fields = { provider: provider.name, service: labelOf(service), faults: faults.slice(0, mostFaults) };
    logger.warn(fields, `Instances of a service were passed over: ${faults[0]!}`);
  };
}

const mostFaults = 5;

/** By what a watch is found again. */
function keyOf({ key, identify, readsScheme }: Provider, service: Service): string {
  return JSON.stringify([key, identify(service), readsScheme ? service.scheme : undefined]);
}
