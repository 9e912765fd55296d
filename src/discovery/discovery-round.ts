import { getOrAdd } from "../routing/index/get-or-add.ts";
import type { Provider } from "./provider.ts";
import type { Service } from "./service.ts";
import type { WatchedService } from "./watched-service.ts";

/** What one configuration asks for, while it is prepared. */
export type DiscoveryRound = Readonly<{
  /** The provider of a key; the same one as long as configurations have it. */
  provider: (key: string, create: () => Provider) => Provider;
  /** The watch of a service; the same one as long as neither it nor its provider changes. */
  watch: (provider: Provider, service: Service) => WatchedService;
  /** Begins to ask for the services that the configuration names, and ends what is watched for no provider of it. */
  settle: Settle;
}>;

type Settle = (named: ReadonlySet<WatchedService>, providers: ReadonlySet<Provider>) => void;

/** What configurations in force have, by which keys, and how more of it comes about. */
type RoundSurroundings = Readonly<{
  providers: Map<string, Provider>;
  services: Map<string, WatchedService>;
  /** Whether the configuration in force names a service. */
  isNamed: (watched: WatchedService) => boolean;
  keyOf: (provider: Provider, service: Service) => string;
  create: (provider: Provider, service: Service) => WatchedService;
  settle: Settle;
}>;

/** Prepares a configuration; what it adds is kept elsewhere only once it comes into force. */
export function prepareRound(surroundings: RoundSurroundings): DiscoveryRound {
  const { providers, services, isNamed, keyOf, create, settle } = surroundings;
  const addedProviders = new Map<string, Provider>();
  const addedServices = new Map<string, WatchedService>();
  return { provider, watch, settle: settleRound };

  function provider(key: string, createProvider: () => Provider): Provider {
    return providers.get(key) ?? getOrAdd(addedProviders, key, createProvider);
  }

  function watch(of: Provider, service: Service): WatchedService {
    const key = keyOf(of, service);
    const known = services.get(key);
    // One that a client has named, and of which there is nothing yet, may be dropped at any moment.
    if (known !== undefined && (isNamed(known) || known.present.length > 0)) return known;
    return getOrAdd(addedServices, key, () => create(of, service));
  }

  function settleRound(...[named, kept]: Parameters<Settle>): void {
    for (const [key, added] of addedProviders) providers.set(key, added);
    for (const [key, added] of addedServices) {
      // A client may have named it meanwhile.
      services.get(key)?.end();
      services.set(key, added);
    }
    settle(named, kept);
  }
}
