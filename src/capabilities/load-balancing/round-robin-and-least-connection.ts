import type { BuiltInBalancer } from "../../discovery/balancer-of.ts";
import type { Balancer } from "../../hosts/balancer.ts";
import type { RouteHost } from "../../hosts/host.ts";
import type { Stickiness } from "./sticky-settings.ts";
import { createStickyBalancer } from "./sticky-balancer.ts";

/** The first host that may be asked. */
const first: Balancer = { choose: ([host]) => host! };

/**
 * Each host in turn, in the order of the list, as often as it weighs: with each choice every host earns its weight, and who
 * has most pays for all. Hosts that are passed over earn nothing, so that none has more than its share when it is back.
 */
const roundRobin: Balancer = {
  choose(hosts) {
    let [richest] = hosts as [RouteHost];
    for (const host of hosts) {
      host.credit += host.weight;
      if (host.credit > richest.credit) richest = host;
    }
    richest.credit -= totalOf(hosts);
    return richest;
  },
  takeBack(host, hosts) {
    for (const other of hosts) other.credit -= other.weight;
    host.credit += totalOf(hosts);
  },
};

/** The host with the fewest requests for its weight, the first of those that have equally few. */
const leastConnection: Balancer = {
  choose(hosts) {
    let [idlest] = hosts as [RouteHost];
    for (const host of hosts) if (loadWith(host) < loadWith(idlest)) idlest = host;
    return idlest;
  },
};

/** How hosts are chosen, by the word for it. Turns are counted at the hosts, which are each route's own. */
const balancers = {
  NoLoadBalancer: first,
  RoundRobin: roundRobin,
  LeastConnection: leastConnection,
} as const satisfies Readonly<Record<Exclude<BuiltInBalancer, "CookieStickySessions">, Balancer>>;

/** The built-in balancer of a route; its clients stay at their hosts where it says how. */
export function createBalancer(type: BuiltInBalancer, stickiness: Stickiness | undefined): Balancer {
  if (type !== "CookieStickySessions") return balancers[type];
  return stickiness === undefined ? roundRobin : createStickyBalancer(stickiness, roundRobin);
}

function totalOf(hosts: readonly RouteHost[]): number {
  return hosts.reduce((total, { weight }) => total + weight, 0);
}

/** How busy a host would be with one request more. */
function loadWith({ inFlight, weight }: RouteHost): number {
  return (inFlight + 1) / weight;
}
