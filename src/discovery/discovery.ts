import { getOrAdd } from "../routing/index/get-or-add.ts";
import type { Logger } from "../logging/logger.ts";
import { createFailureList, type RegistryChange } from "./failure-list.ts";
import { type DiscoveryRound, prepareRound } from "./discovery-round.ts";
import type { Provider } from "./provider.ts";
import { createUnlistedServices, type UnlistedServices } from "./unlisted-services.ts";
import { createRooms } from "./room-for-instances.ts";
import { createStarting } from "./awaited-at-start.ts";
import { labelOf, type Service } from "./service.ts";
import { createWatchedService, type WatchedService, type WatchEvents } from "./watched-service.ts";

/** The services that one gateway looks for, over all its configurations. */
export type Discovery = Readonly<{
  /** Prepares a configuration; one that never comes into force leaves nothing behind. */
  prepare: () => DiscoveryRound;
  unlisted: UnlistedServices;
  /** Whether first lists of the services that the first configuration names are still waited for. */
  isOpening: () => boolean;
  /** All services that are looked for at the moment. */
  watched: () => readonly WatchedService[];
  close: () => void;
}>;

/** Who hears of what happens to the providers. */
type DiscoverySurroundings = Readonly<{ logger: Logger; changed: (change: RegistryChange) => void }>;

/** Makes what a gateway knows of where services run. */
export function createDiscovery({ logger, changed }: DiscoverySurroundings): Discovery {
  const providers = new Map<string, Provider>();
  const services = new Map<string, WatchedService>();
  const roomFor = createRooms();
  const events: WatchEvents = { ...createFailureList(logger, changed), passedOver: createPassedOver(logger) };
  const unlisted = createUnlistedServices({ keyOf, watch, drop, isNamed });
  let named: ReadonlySet<WatchedService> = new Set();
  let isClosed = false;
  const watched = (): readonly WatchedService[] => [...services.values()];
  const starting = createStarting();
  const prepare = (): DiscoveryRound => prepareRound({ providers, services, isNamed, keyOf, create, settle });
  return { prepare, unlisted, isOpening: starting.isOpening, watched, close };

  function isNamed(watched: WatchedService): boolean {
    return named.has(watched);
  }

  function create(provider: Provider, service: Service): WatchedService {
    return createWatchedService({ service, provider, room: roomFor(provider) }, events);
  }

  function watch(provider: Provider, service: Service): WatchedService {
    return getOrAdd(services, keyOf(provider, service), () => create(provider, service));
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
    const key = keyOf(watched.provider, watched.service);
    if (services.get(key) === watched) services.delete(key);
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
