import { isEmptyNode, quote } from "../json-node.ts";
import { findMember, locate, type Place } from "../place.ts";
import type { HostConfig, TlsConfig } from "../schema.ts";
import type { ConfigRule, OpenRoute, RouteRule, Rulebook } from "./rule.ts";

type Report = Rulebook["report"];

const hostName = /^[^\s/\\?#@:[\]{}]+$/;
const ipv6Address = /^\[?[0-9a-f:.]*:[0-9a-f:.]*\]?(%25?\w+)?$/i;
// A leading scheme or slash of a service name is dropped.
const servicePrefix = /^(fabric:\/|\/)/;

/** A route goes somewhere: to a service or to a host. */
export const requireTarget: RouteRule = function requireTarget(route, report) {
  const { config, place } = route;
  if (config.ServiceName?.trim().replace(servicePrefix, "") === "") {
    const message = `expected the name of an application and a service, found ${quote(config.ServiceName)}`;
    report("target-missing", locate(place, ["ServiceName"]), message);
  }
  if (config.ServiceName !== undefined || (config.DownstreamHostAndPorts?.length ?? 0) > 0) return;
  // What is written but could not be read was reported when it was read.
  if (["ServiceName", "DownstreamHostAndPorts", "DownstreamHost"].some((key) => isGiven(route, key))) return;
  report("target-missing", place, "the route goes nowhere: expected DownstreamHostAndPorts or a ServiceName");
};

/** A service is found by a provider. */
export const requireProvider: ConfigRule = function* requireProvider({ routes, global, report }) {
  if (global.config.ServiceDiscoveryProvider !== undefined) return;
  const written = findMember(global.place, "ServiceDiscoveryProvider")?.node;
  // A provider that is no object was reported when it was read.
  if (written !== undefined && written.kind !== "object" && !isEmptyNode(written)) return;
  for (const { config, place } of routes) {
    yield;
    if (config.ServiceName === undefined) continue;
    const found = `ServiceName ${quote(config.ServiceName)} needs the naming service`;
    const add = 'add "ServiceDiscoveryProvider": { "Type": "ServiceCluster" } to "GlobalConfiguration"';
    const orElse = config.DownstreamHostAndPorts === undefined ? "" : ', or remove "ServiceName" to use the hosts';
    report("provider-missing", locate(place, ["ServiceName"]), `${found}: ${add}${orElse}`);
  }
};

/** Every host entry names a host and nothing else. */
export const checkHosts: RouteRule = function checkHosts({ config, place }, report) {
  const hosts = config.DownstreamHostAndPorts as readonly (Partial<HostConfig> | undefined)[] | undefined;
  hosts?.forEach((host, index) => {
    // An entry that is no object was reported when it was read.
    if (host === undefined || (host.Host !== undefined && isHostName(host.Host))) return;
    const entry = locate(place, ["DownstreamHostAndPorts", index]);
    if (host.Host !== undefined) reportHostName(host.Host, locate(entry, ["Host"]), report);
    else if (isEmptyAt(entry, "Host")) {
      report("host-missing", entry, 'the entry has no host: expected "Host": "example.org"');
    }
  });
};

/** The provider is one that is known, and stands at a host. */
export const checkProvider: ConfigRule = function checkProvider({ global, report }) {
  const provider = global.config.ServiceDiscoveryProvider;
  if (provider === undefined) return;
  const place = locate(global.place, ["ServiceDiscoveryProvider"]);
  if (isEmptyAt(place, "Type")) {
    const reason = "without a type Ocelot takes Consul, which is not supported";
    report("provider-unknown", place, `Type is missing, and ${reason}: expected "Type": "ServiceCluster"`);
  }
  if (provider.Host === undefined || isHostName(provider.Host)) return;
  reportHostName(provider.Host, locate(place, ["Host"]), report);
};

/** A client certificate needs its key. */
export const checkTls: ConfigRule = function* checkTls({ routes, global, report }) {
  checkTlsPair(global.config.Tls, locate(global.place, ["Tls"]), report);
  const provider = global.config.ServiceDiscoveryProvider;
  checkTlsPair(provider?.Tls, locate(global.place, ["ServiceDiscoveryProvider", "Tls"]), report);
  for (const { config, place } of routes) {
    yield;
    if (config.Tls !== undefined) checkTlsPair(config.Tls, locate(place, ["Tls"]), report);
  }
};

function checkTlsPair(tls: TlsConfig | undefined, place: Place, report: Report): void {
  if (tls === undefined || (tls.Cert === undefined) === (tls.Key === undefined)) return;
  const [there, lacking] = tls.Cert === undefined ? ["Key", "Cert"] : ["Cert", "Key"];
  report(
    "tls-incomplete",
    place,
    `${JSON.stringify(there)} needs ${JSON.stringify(lacking)}: a client certificate is both`,
  );
}

function isHostName(host: string): boolean {
  return hostName.test(host) || ipv6Address.test(host);
}

function reportHostName(host: string, place: Place, report: Report): void {
  const expected = "expected a host name or address without scheme, port and path";
  report("host-invalid", place, `${expected}, found ${quote(host)}`);
}

function isGiven({ place }: OpenRoute, key: string): boolean {
  const member = findMember(place, key);
  if (member === undefined || isEmptyNode(member.node)) return false;
  return !("text" in member.node) || member.node.text.trim() !== "";
}

function isEmptyAt(place: Place, key: string): boolean {
  const member = findMember(place, key);
  return member === undefined || isEmptyNode(member.node);
}
