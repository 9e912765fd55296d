import type { ProviderConfig } from "../capabilities/service-discovery/provider-keys.ts";

type Asking = Readonly<{ ServiceName?: string | undefined; ServiceProvider?: string | undefined }>;

type NamedService = Asking & Readonly<{ ServiceNamespace?: string | undefined }>;

type Asked = Readonly<{
  ServiceDiscoveryProvider?: ProviderConfig | undefined;
  Providers?: Readonly<Record<string, ProviderConfig>> | undefined;
}>;

/** The type of a provider that writes none. */
export const usualType = "Consul";

/** The provider of a route's service: the one that it names, else that of all routes. */
export function providerOf({ ServiceProvider: name }: Asking, global: Asked): ProviderConfig | undefined {
  if (name === undefined) return global.ServiceDiscoveryProvider;
  const { Providers: providers = {} } = global;
  return Object.hasOwn(providers, name) ? providers[name] : undefined;
}

/** Whether it is the naming service, which is asked with each request, by the path. */
export function isNamingService({ Type = usualType }: Pick<ProviderConfig, "Type">): boolean {
  return Type === "ServiceCluster";
}

/** Whether a type of provider asks Kubernetes. */
export function isKubernetes(type: string): boolean {
  return ["Kube", "PollKube", "WatchKube"].includes(type);
}

/** Whether the requests of a route go to the naming service; that a provider is missing is told elsewhere. */
export function goesToNamingService(route: Asking, global: Asked): boolean {
  if (route.ServiceName === undefined) return false;
  const provider = providerOf(route, global);
  return provider === undefined || isNamingService(provider);
}

/** How people are told where the requests of a route go whose instances a provider finds: by whom, and which service. */
export function describeService(route: NamedService, global: Asked): string | undefined {
  const provider = registryOf(route, global);
  if (provider === undefined) return undefined;
  const asked = route.ServiceProvider ?? provider.Type ?? usualType;
  const { ServiceNamespace: namespace, ServiceName: name } = route;
  return `${asked.toLowerCase()}://${namespace === undefined ? "" : `${namespace}.`}${name!.trim()}`;
}

/** The provider that tells where the instances of a route's service run; undefined where the route needs none. */
export function registryOf(route: Asking, global: Asked): ProviderConfig | undefined {
  const provider = route.ServiceName === undefined ? undefined : providerOf(route, global);
  return provider === undefined || isNamingService(provider) ? undefined : provider;
}
