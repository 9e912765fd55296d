/** The providers that the gateway knows: where each stands and by which scheme it is asked, unless it is written. */
export const providerTypes = {
  ServiceCluster: { scheme: "http", port: 19_081 },
  Consul: { scheme: "http", port: 8_500 },
  PollConsul: { scheme: "http", port: 8_500 },
  Kube: { scheme: "https", port: 443 },
  PollKube: { scheme: "https", port: 443 },
  WatchKube: { scheme: "https", port: 443 },
  Eureka: { scheme: "http", port: 8_761 },
  Dns: { scheme: "http", port: 53 },
} as const;

/** The name of one of them. */
export type ProviderType = keyof typeof providerTypes;
