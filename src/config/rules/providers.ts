import { closestName } from "../../closest-name.ts";
import { isEmptyNode, quote } from "../../json/json-node.ts";
import { findMember, locate, type Place } from "../../json/place.ts";
import type { ConfigRule, GlobalEntry, Rulebook } from "./rule.ts";
import { isHostName, reportHostName } from "./targets.ts";

const ownTypes = ["ServiceCluster", "ServiceFabric"];
const registries: ReadonlySet<string> = new Set([
  ...["consul", "pollconsul", "kube", "pollkube", "watchkube", "kubernetes", "eureka", "dns"],
]);
const ownService = 'the naming service ("ServiceCluster", in Ocelot "ServiceFabric"), which is another program';
const useHosts = 'write the hosts of each service into "DownstreamHostAndPorts", and remove "ServiceName"';

/** The provider is one that is known, stands at a host, and is asked by a route. */
export const checkProvider: ConfigRule = function checkProvider({ routes, global, report }) {
  const provider = global.config.ServiceDiscoveryProvider;
  if (provider === undefined) return;
  const place = locate(global.place, ["ServiceDiscoveryProvider"]);
  const isAsked = routes.some(({ config }) => config.ServiceName !== undefined);
  if (routes.length > 0 && !isAsked) {
    const remedy = 'remove it, or say which service with "ServiceName" on a route';
    report("provider-unused", place, `no route has a "ServiceName", so nobody asks this provider: ${remedy}`);
  } else if (provider.Type !== "ServiceCluster") reportType(place, { routes, global, report });
  if (provider.Host === undefined || isHostName(provider.Host)) return;
  reportHostName(provider.Host, locate(place, ["Host"]), report);
};

function reportType(place: Place, { routes, report }: Rulebook): void {
  const member = findMember(place, "Type");
  // A type that is no text was reported when it was read.
  if (member !== undefined && !("text" in member.node)) return;
  const type = member === undefined || isEmptyNode(member.node) ? undefined : (member.node as { text: string }).text;
  const onlyRoutes =
    "Without routes Ocelot finds the service in the path, and here nothing does: write a route for each";
  const message = `${typeFault(type)}${routes.length === 0 ? `. ${onlyRoutes}` : ""}`;
  report("provider-unknown", type === undefined ? place : member!, message);
}

/** What is wrong with a type, and what to do about it. */
function typeFault(type: string | undefined): string {
  if (type === undefined) {
    return `without a "Type" Ocelot asks Consul, and ${cannotAsk("Consul")}`;
  }
  const closest = registries.has(type.trim().toLowerCase()) ? undefined : closestName(type, ownTypes);
  return `${cannotAsk(quote(type))}${closest === undefined ? "" : ` – did you mean ${quote(closest)}?`}`;
}

function cannotAsk(name: string): string {
  return `this gateway cannot ask ${name}; all it can ask is ${ownService}: ${useHosts}`;
}

/** Whether services are found by the naming service. */
export function hasNamingService({ config }: GlobalEntry): boolean {
  return config.ServiceDiscoveryProvider?.Type === "ServiceCluster";
}

/** A service is found by a provider. */
export const requireProvider: ConfigRule = function* requireProvider({ routes, global, report }) {
  if (global.config.ServiceDiscoveryProvider !== undefined) return;
  const written = findMember(global.place, "ServiceDiscoveryProvider")?.node;
  // A provider that is no object was reported when it was read.
  if (written !== undefined && written.kind !== "object" && !isEmptyNode(written)) return;
  for (const { config, place } of routes) {
    yield;
    if (config.ServiceName === undefined) continue;
    const advice = providerAdvice(global.place, config.DownstreamHostAndPorts !== undefined);
    const message = `a ServiceName needs a provider that finds services, and there is none: ${advice}`;
    report("provider-missing", locate(place, ["ServiceName"]), message);
  }
};

function providerAdvice(global: Place, hasHosts: boolean): string {
  const misplaced = findMember(global.parent ?? global, "ServiceDiscoveryProvider");
  if (misplaced === undefined) {
    const add = 'add "ServiceDiscoveryProvider": { "Type": "ServiceCluster" } to "GlobalConfiguration"';
    return `${hasHosts ? 'remove "ServiceName" to use the hosts' : useHosts}, or ${add} for ${ownService}`;
  }
  const type = findMember(misplaced, "Type")?.node;
  const text = type !== undefined && "text" in type ? type.text : undefined;
  const move = 'that on the top level belongs into "GlobalConfiguration"';
  return text !== undefined && closestName(text, ownTypes) !== undefined ? move : `${move}, but ${typeFault(text)}`;
}
