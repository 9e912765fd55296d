import type { ProviderConfig } from "../../capabilities/service-discovery/provider-keys.ts";
import { usualType } from "../../discovery/provider-of.ts";
import { quote } from "../../json/json-node.ts";
import { locate, type Place } from "../../json/place.ts";
import type { Report } from "../problems/problem-list.ts";
import type { GlobalConfig } from "../sections.ts";

/** What a URL in the place of a host says of where a provider is. */
type WrittenAddress = Readonly<{ Scheme: "http" | "https"; Host: string; Port: number }>;

const url =
  /^(?<scheme>https?):\/\/(?<user>[^\s/?#]*@)?(?<host>\[[\da-f:.]+\]|[^\s/?#@:[\]{}]+)(?::(?<port>\d{1,5}))?(?<path>\/[^\s?#]*)?$/i;
const usualPorts = { http: 80, https: 443 };
const mostPort = 65_535;

/** Below which paths the registries answer that are asked over HTTP; of another type nobody knows. */
const paths: Readonly<Record<string, RegExp>> = {
  Consul: /^\/?$/,
  PollConsul: /^\/?$/,
  Kube: /^\/?$/,
  PollKube: /^\/?$/,
  WatchKube: /^\/?$/,
  Eureka: /^\/?$|^\/eureka\/?$/i,
};

/** Takes a URL that stands in the place of a provider's host for what it says, where nothing beside it says otherwise. */
export function readProviderUrls(config: GlobalConfig, place: Place, report: Report): GlobalConfig {
  const { ServiceDiscoveryProvider: usual, Providers: named } = config;
  const read = (provider: ProviderConfig, ...path: readonly string[]): ProviderConfig =>
    readProviderUrl(provider, locate(place, [...path, "Host"]), report);
  const own = usual && read(usual, "ServiceDiscoveryProvider");
  const entries = Object.entries(named ?? {}).map(([name, provider]) => {
    return [name, read(provider, "Providers", name)] as const;
  });
  if (own === usual && entries.every(([name, provider]) => provider === named?.[name])) return config;
  return {
    ...config,
    ...(own && { ServiceDiscoveryProvider: own }),
    ...(named && { Providers: Object.freeze(Object.fromEntries(entries)) }),
  };
}

function readProviderUrl(provider: ProviderConfig, place: Place, report: Report): ProviderConfig {
  const address = addressIn(provider);
  if (address === undefined || faultsOf(provider, address).length > 0) return provider;
  report("provider-url", place, `${quote(provider.Host!)} is read as ${written(address)}: write it so`);
  return Object.freeze({ ...provider, ...address });
}

/** What to write instead of a URL that cannot be taken for a host; undefined for what is none, or of another provider. */
export function adviceForUrl(provider: ProviderConfig): string | undefined {
  const address = addressIn(provider);
  if (address === undefined) return undefined;
  return `${faultsOf(provider, address).join(", and ")}: write ${written(address)} if the URL is right`;
}

function addressIn(provider: ProviderConfig): WrittenAddress | undefined {
  const { scheme, host, port } = partsOf(provider);
  if (scheme === undefined || host === undefined) return undefined;
  const Scheme = scheme.toLowerCase() === "https" ? "https" : "http";
  const Port = port === undefined ? (provider.Port ?? usualPorts[Scheme]) : Number(port);
  return Port > 0 && Port <= mostPort ? { Scheme, Host: host, Port } : undefined;
}

type Parts = Readonly<Partial<Record<"scheme" | "user" | "host" | "port" | "path", string>>>;

function partsOf({ Type = usualType, Host: host = "" }: ProviderConfig): Parts {
  return (Object.hasOwn(paths, Type) ? url.exec(host.trim())?.groups : undefined) ?? {};
}

/** What speaks against taking a URL for what it says. */
function faultsOf(provider: ProviderConfig, { Scheme: scheme, Port: port }: WrittenAddress): readonly string[] {
  const { Type = usualType, Port, Scheme } = provider;
  const { path = "", user } = partsOf(provider);
  const faults: readonly (readonly [boolean, string])[] = [
    [!paths[Type]!.test(path), `${Type} is not asked below ${quote(path)}`],
    [user !== undefined, "no name and password are sent"],
    [Port !== undefined && Port !== port, `"Port" says ${Port}`],
    [Scheme !== undefined && Scheme !== scheme, `"Scheme" says ${quote(Scheme ?? "")}`],
  ];
  return faults.flatMap(([holds, fault]) => (holds ? [fault] : []));
}

function written(address: WrittenAddress): string {
  return Object.entries(address)
    .map(([name, value]) => `"${name}": ${JSON.stringify(value)}`)
    .join(", ");
}
