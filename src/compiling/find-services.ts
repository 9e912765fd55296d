import type { ProviderConfig } from "../capabilities/service-discovery/provider-keys.ts";
import { lookUpName } from "../capabilities/look-up-name.ts";
import type { GlobalConfig, RouteConfig } from "../config/sections.ts";
import { createProvider, isRegistryType } from "../discovery/create-provider.ts";
import type { Discovery } from "../discovery/discovery.ts";
import type { InstanceFinder, Provider } from "../discovery/provider.ts";
import { isNamingService, registryOf, usualType } from "../discovery/provider-of.ts";
import { providerTypes } from "../discovery/usual-ports.ts";
import type { Service } from "../discovery/service.ts";
import type { WatchedService } from "../discovery/watched-service.ts";
import { placeholderNames } from "../templates/template.ts";
import type { Steps } from "../time-slices.ts";
import { plainScheme } from "../urls/schemes.ts";
import type { ConnectionRound } from "../capabilities/tls/connections-shared-by-routes.ts";
import { providersOf } from "./effective-tls.ts";

/** Who is asked, by one configuration, for which services. */
export type ServiceRound = Readonly<{
  /** The watch of a route's service; undefined where the route needs none. */
  find: (route: RouteConfig) => WatchedService | undefined;
  /** Who finds a route's service; undefined where nobody has to. */
  providerOf: (route: Pick<RouteConfig, "ServiceName" | "ServiceProvider">) => Provider | undefined;
  /** Puts this configuration's services into force. */
  settle: () => void;
}>;

/** What a configuration's providers are made with. */
type ServiceSurroundings = Readonly<{
  global: GlobalConfig;
  finders: Readonly<Record<string, InstanceFinder>> | undefined;
  discovery: Discovery;
  connections: Pick<ConnectionRound, "settingsFor">;
}>;

/** Finds out which services the routes of a configuration name; nobody is asked before it is put into force. */
export function* findServices(
  routes: readonly RouteConfig[],
  { global, finders, discovery, connections }: ServiceSurroundings,
): Steps<ServiceRound> {
  const round = discovery.prepare();
  const byConfig = new Map<ProviderConfig, Provider>();
  for (const [name, config] of providersOf(global)) {
    if (!isNamingService(config)) byConfig.set(config, prepareProvider(name, config));
  }
  const named = new Set<WatchedService>();
  for (const route of byConfig.size === 0 ? [] : routes) {
    yield;
    const watched = find(route);
    if (watched !== undefined) named.add(watched);
  }
  return { find, providerOf, settle: () => round.settle(named, new Set(byConfig.values())) };

  function find(route: RouteConfig): WatchedService | undefined {
    const provider = providerOf(route);
    if (provider === undefined || placeholderNames(route.ServiceName!).length > 0) return undefined;
    return round.watch(provider, serviceOf(route, global));
  }

  function providerOf(route: Pick<RouteConfig, "ServiceName" | "ServiceProvider">): Provider | undefined {
    const config = registryOf(route, global);
    return config && byConfig.get(config);
  }

  function prepareProvider(name: string, config: ProviderConfig): Provider {
    const { Type = usualType, Tls: tls } = config;
    const own = isRegistryType(Type) ? undefined : lookUpFinder(Type, name, finders);
    const settings = connections.settingsFor({
      connectTimeout: 0,
      lifetime: undefined,
      tls,
      acceptAnyCertificate: false,
      allowedAddresses: undefined,
    }).tls;
    const key = JSON.stringify([name, config, settings]);
    return round.provider(key, () => createProvider({ name: labelOf(name, Type), key, config, tls: settings, own }));
  }
}

/** A service as its provider is asked for it. */
function serviceOf(
  { ServiceName, ServiceNamespace, DownstreamScheme }: RouteConfig,
  { DownstreamScheme: usual }: GlobalConfig,
): Service {
  const scheme = plainScheme(DownstreamScheme ?? usual);
  return { name: ServiceName!.trim(), namespace: ServiceNamespace?.trim(), scheme };
}

/** One without a name is called as its type is. */
function labelOf(name: string, type: string): string {
  return name === "ServiceDiscoveryProvider" ? type : name;
}

function lookUpFinder(
  type: string,
  name: string,
  finders: Readonly<Record<string, InstanceFinder>> = {},
): InstanceFinder {
  const asker = `"Type" of the provider ${JSON.stringify(name)}`;
  const remedy = (): string => ` The gateway itself knows ${Object.keys(providerTypes).join(", ")}.`;
  return lookUpName(finders, type, { source: "the option discovery of createGateway()", asker, remedy });
}
