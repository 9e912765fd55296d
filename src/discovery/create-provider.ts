import type { ProviderConfig } from "../capabilities/service-discovery/provider-keys.ts";
import { createShareOfTime } from "../asking/share-of-time.ts";
import { createAddressRule, standsOnLoopback } from "./believed-addresses.ts";
import { usualStaleSeconds } from "./how-long-a-list-counts.ts";
import type { InstanceFinder, Provider } from "./provider.ts";
import { usualType } from "./provider-of.ts";
import { type Asker, askers, type RegistryType, usualHost } from "./registries/askers.ts";
import type { RegistryAddress } from "./registries/registry-client.ts";

/** What a provider is made from. */
type ProviderSources = Readonly<{
  /** As the configuration calls it. */
  name: string;
  /** All that decides what it tells. */
  key: string;
  config: ProviderConfig;
  tls: RegistryAddress["tls"];
  /** The finder that the option `discovery` has for the type; undefined where the gateway has its own. */
  own: InstanceFinder | undefined;
}>;

/** How often a provider is asked that does not tell what changes; milliseconds. */
export const usualInterval = 5_000;

/** Whether the gateway itself can ask providers of a type. */
export function isRegistryType(type: string): type is RegistryType {
  return Object.hasOwn(askers, type);
}

/** Makes a provider. */
export function createProvider({ name, key, config, tls, own }: ProviderSources): Provider {
  const {
    Type = usualType,
    AllowAddresses = [],
    PollingInterval = usualInterval,
    MaxStale = usualStaleSeconds,
  } = config;
  const { isLocal, ...asker } =
    own === undefined
      ? askers[Type as RegistryType]({ type: Type as RegistryType, config, tls })
      : askOwn(own, Type, config);
  const allowedAddresses = isLocal ? undefined : AllowAddresses;
  return {
    ...{ name, key, ...asker },
    namesOf: asker.namesOf ?? ((service) => [asker.identify(service)]),
    allowsAddress: createAddressRule(allowedAddresses),
    allowedAddresses,
    interval: PollingInterval,
    maxStale: MaxStale * 1_000,
    listing: createShareOfTime(),
  };
}

/** A finder of the user's runs in this process, unless the configuration says where else it asks. */
function askOwn(find: InstanceFinder, kind: string, { Host = usualHost }: ProviderConfig): Asker {
  const identify: Asker["identify"] = ({ name, namespace }) => JSON.stringify([namespace, name]);
  return { find, identify, kind, isLocal: standsOnLoopback(Host), readsScheme: true, close: () => undefined };
}
