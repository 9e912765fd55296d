import { isEmptyNode } from "../../json/json-node.ts";
import { findMember, locate } from "../../json/place.ts";
import type { Report } from "../problems/problem-list.ts";
import type { GlobalEntry, RouteEntry } from "../rules/rule.ts";

type Written = Pick<RouteEntry, "config" | "place">;

/** What a route asks for, without a service that nobody finds where it has hosts, too: those are what its author meant. */
export function goToHosts({ config, place }: Written, global: GlobalEntry, report: Report): RouteEntry["config"] {
  const { ServiceName: service, ServiceProvider: provider, DownstreamHostAndPorts: hosts = [] } = config;
  if (service === undefined || provider !== undefined || hosts.length === 0 || isProviderWritten(global)) return config;
  const found = "nobody finds this service, as there is no provider, so the hosts are asked";
  const remedy = 'remove it, or add a "ServiceDiscoveryProvider" to "GlobalConfiguration"';
  report("service-ignored", locate(place, ["ServiceName"]), `${found}: ${remedy}`);
  const rest = { ...config };
  delete rest.ServiceName;
  return Object.freeze(rest);
}

/** One on the top level, and one that is no object, are told of elsewhere; of one that says nothing there is none. */
function isProviderWritten({ config, place }: GlobalEntry): boolean {
  if (config.ServiceDiscoveryProvider !== undefined) return true;
  const [own, misplaced] = [place, place.parent ?? place].map((where) => findMember(where, "ServiceDiscoveryProvider"));
  return (own !== undefined && own.node.kind !== "object" && !isEmptyNode(own.node)) || misplaced !== undefined;
}
