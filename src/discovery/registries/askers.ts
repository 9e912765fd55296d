import type { ProviderConfig } from "../../capabilities/service-discovery/provider-keys.ts";
import { plainScheme } from "../../urls/schemes.ts";
import { standsOnLoopback } from "../believed-addresses.ts";
import type { Provider } from "../provider.ts";
import { type ProviderType, providerTypes } from "../usual-ports.ts";
import { createConsulFinder, mostConsulConnections } from "./consul.ts";
import { createDnsFinder } from "./dns.ts";
import { createEurekaFinder } from "./eureka.ts";
import { createKubernetesFinder } from "./kubernetes.ts";
import { readPod } from "./pod.ts";
import { createRegistryClient, type RegistryAddress } from "./registry-client.ts";
import { createTokenReader } from "./registry-token.ts";
import { byLabel, byName, byNamespace, namesAbove } from "./service-identity.ts";

/** What a registry is asked with. */
type AskerSources = Readonly<{
  type: RegistryType;
  config: ProviderConfig;
  tls: RegistryAddress["tls"];
}>;

/** Who asks a registry, and what is left to be closed. */
export type Asker = Pick<Provider, "find" | "identify" | "kind" | "readsScheme" | "close"> &
  Readonly<{
    /** Where it differs from how the registry knows a service. */
    namesOf?: Provider["namesOf"];
    /** Whether the registry stands on this machine. */
    isLocal: boolean;
  }>;

/** The providers that the gateway itself can ask. */
export type RegistryType = Exclude<ProviderType, "ServiceCluster">;

// A thousand services that are asked for at the same time would be more connections than servers take at once.
const mostQuestions = 50;

/** The host of a provider that writes none. */
export const usualHost = "localhost";

/** Makes who asks a registry, by the type of the provider. */
export const askers: Readonly<Record<RegistryType, (sources: AskerSources) => Asker>> = {
  Consul: (sources) => askConsul(sources, true),
  PollConsul: (sources) => askConsul(sources, false),
  Kube: (sources) => askKubernetes(sources, true),
  WatchKube: (sources) => askKubernetes(sources, true),
  PollKube: (sources) => askKubernetes(sources, false),
  Eureka: askEureka,
  Dns: askDns,
};

function askConsul(sources: AskerSources, mayBlock: boolean): Asker {
  const { UseNodeName: usesNodeName = false } = sources.config;
  const address = { ...addressOf(sources.type, sources.config), tls: sources.tls };
  const client = createRegistryClient(address, mostConsulConnections);
  const find = createConsulFinder({ client, token: createTokenReader(sources.config), usesNodeName, mayBlock });
  return {
    find,
    identify: byName,
    kind: "Consul",
    isLocal: standsOnLoopback(address.host),
    readsScheme: false,
    close: client.close,
  };
}

function askKubernetes({ config, tls, type }: AskerSources, watches: boolean): Asker {
  const pod = readPod();
  const { Host = pod.host, Port = config.Host === undefined ? pod.port : undefined, Namespace } = config;
  const ca = pod.ca === undefined ? {} : { ca: pod.ca };
  const address = { ...addressOf(type, { ...config, Host, Port }), tls: { ...ca, ...tls } };
  const client = createRegistryClient(address, mostQuestions);
  // The pod's own token goes to nobody who could be overheard.
  const tokenFile = address.scheme === "https" ? pod.tokenFile : undefined;
  const namespace = Namespace ?? pod.namespace ?? "default";
  const token = createTokenReader(config, tokenFile);
  const find = createKubernetesFinder({ client, token, namespace, watches });
  const identify = byNamespace(namespace);
  return {
    find,
    identify,
    kind: "Kubernetes",
    isLocal: standsOnLoopback(address.host),
    readsScheme: true,
    close: client.close,
  };
}

function askEureka(sources: AskerSources): Asker {
  const address = { ...addressOf(sources.type, sources.config), tls: sources.tls };
  const client = createRegistryClient(address, mostQuestions);
  const find = createEurekaFinder({ client, token: createTokenReader(sources.config) });
  return {
    find,
    identify: byName,
    kind: "Eureka",
    isLocal: standsOnLoopback(address.host),
    readsScheme: true,
    close: client.close,
  };
}

function askDns({ config: { Host: host, Port: port = providerTypes.Dns.port } }: AskerSources): Asker {
  const isLocal = host !== undefined && standsOnLoopback(host);
  return {
    find: createDnsFinder({ host, port }),
    identify: byLabel,
    kind: "Dns",
    namesOf: namesAbove,
    isLocal,
    readsScheme: true,
    close: () => undefined,
  };
}

/** Where a provider is, as it is written or as is usual for its type. */
export function addressOf(type: ProviderType, config: ProviderConfig): Omit<RegistryAddress, "tls"> {
  const usual = providerTypes[type];
  const { Host = usualHost, Port: port = usual.port, Scheme } = config;
  return { scheme: plainScheme(Scheme) ?? usual.scheme, host: Host.replace(/^\[|\]$/g, ""), port };
}
