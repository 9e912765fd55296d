import type { ProviderConfig } from "../capabilities/service-discovery/provider-keys.ts";
import type { Telling } from "../capabilities/telling.ts";
import { usualStaleSeconds } from "./how-long-a-list-counts.ts";
import { isRegistryType, usualInterval } from "./create-provider.ts";
import { providerOf, usualType } from "./provider-of.ts";
import { type ProviderType, providerTypes } from "./usual-ports.ts";
import { addressOf, type RegistryType } from "./registries/askers.ts";
import { labelOf } from "./service.ts";

/** Tells who finds the instances of a route's service, and how that is asked. */
export const tellProvider: Telling = {
  name: "discovery",
  title: "found by",
  keys: ["ServiceName", "ServiceNamespace", "ServiceProvider"],
  tell({ ServiceName, ServiceNamespace: namespace, ServiceProvider }, global) {
    if (ServiceName === undefined) return undefined;
    const provider = providerOf({ ServiceName, ServiceProvider }, global) ?? { Type: "ServiceCluster" };
    const { Type = usualType, MaxStale = usualStaleSeconds, AllowAddresses = [], Token, TokenFile } = provider;
    const service = labelOf({ name: ServiceName.trim(), namespace: namespace?.trim() });
    if (Type === "ServiceCluster") return [meanings.ServiceCluster(provider)];
    const who = isRegistryType(Type) ? meanings[Type](provider) : `the function ${Type} of the option discovery`;
    return [
      `${who}, asked for ${service}`,
      ...(Token === undefined && TokenFile === undefined ? [] : ["asked with a token"]),
      `no request waits for it, but the first one, for at most 5 s; while it fails, the last list goes on for at most ${MaxStale} s`,
      ...(AllowAddresses.length === 0 ? [] : [`instances may also stand at ${AllowAddresses.join(", ")}`]),
    ];
  },
};

/** Who is asked and how, by the type of the provider. */
const meanings: Readonly<Record<ProviderType, (config: ProviderConfig) => string>> = {
  ServiceCluster: (config) => `the naming service at ${originOf("ServiceCluster", config)}, asked with each request`,
  Consul: (config) => `Consul at ${originOf("Consul", config)}, which tells what changes`,
  PollConsul: (config) => `Consul at ${originOf("PollConsul", config)}, ${everyInterval(config)}`,
  Kube: (config) => `Kubernetes ${clusterOf("Kube", config)}, which tells what changes`,
  WatchKube: (config) => `Kubernetes ${clusterOf("WatchKube", config)}, which tells what changes`,
  PollKube: (config) => `Kubernetes ${clusterOf("PollKube", config)}, ${everyInterval(config)}`,
  Eureka: (config) => `Eureka at ${originOf("Eureka", config)}, ${everyInterval(config)}`,
  Dns: (config) => `DNS ${serversOf(config)}, ${everyInterval(config)}`,
};

function originOf(type: ProviderType, config: ProviderConfig): string {
  const { scheme, host, port } = addressOf(type, config);
  return `${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

function clusterOf(type: RegistryType, config: ProviderConfig): string {
  const place = config.Host === undefined ? "around the pod" : `at ${originOf(type, config)}`;
  return `${place}, namespace ${config.Namespace ?? "of the pod"}`;
}

function serversOf({ Host: host, Port: port = providerTypes.Dns.port }: ProviderConfig): string {
  return host === undefined ? "by the servers of the system" : `by the server ${host}:${port}`;
}

function everyInterval({ PollingInterval: interval = usualInterval }: ProviderConfig): string {
  return `every ${interval / 1_000} s`;
}
