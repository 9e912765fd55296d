import { shownRouteId } from "../secrets/shown-route.ts";
import type { Route } from "../route.ts";
import { rightAfter } from "../unattended/guarded.ts";
import type { ObservedGateway, ObservedHost } from "./observed-gateway.ts";
import type { RequestObserver } from "./observer.ts";

/** A host by labels that no client chooses. */
type LabelledHost = Readonly<{ labels: Readonly<{ route: string; host: string }> }> &
  Pick<ObservedHost, "inFlight" | "state">;

/** The gateways that an observer watches, and their hosts as gauges show them. */
export type AttachedGateways = Required<Pick<RequestObserver, "attached">> &
  Readonly<{ hosts: () => readonly LabelledHost[] }>;

/** Of how many routes hosts are shown, and of how many hosts at most. */
type MostShown = Readonly<{ routes: number; hosts: number }>;

/** How many hosts are shown unless somebody says how many: each takes its time of requests whenever gauges are read. */
export const usualHosts = 5_000;
// So that a service of thousands leaves room for others.
const shareOfRoute = 0.1;

/** Makes the list of the gateways of one observer. */
export function createAttachedGateways(most: MostShown): AttachedGateways {
  const gateways = new Set<ObservedGateway>();
  let looked: readonly LabelledHost[] | undefined;
  return { attached, hosts };

  function attached(gateway: ObservedGateway): () => void {
    gateways.add(gateway);
    return () => void gateways.delete(gateway);
  }

  /** Gauges that are read together see the same hosts, which are gone through once. */
  function hosts(): readonly LabelledHost[] {
    if (looked === undefined) rightAfter(() => (looked = undefined));
    return (looked ??= [...gateways].flatMap((gateway) => [...labelHosts(gateway, most).values()]));
  }
}

/** By their labels: a host that a route lists twice is one. */
function labelHosts(gateway: ObservedGateway, most: MostShown): ReadonlyMap<string, LabelledHost> {
  const routes = new Set<Route>();
  const labelled = new Map<string, LabelledHost>();
  let route = "";
  for (const { route: of, origin: host, inFlight, state } of gateway.hosts(Math.ceil(most.hosts * shareOfRoute))) {
    if (!routes.has(of)) route = shownRouteId(of);
    if (routes.add(of).size > most.routes) break;
    const name = `${route} ${host}`;
    const others = labelled.get(name);
    if (others === undefined && labelled.size >= most.hosts) break;
    labelled.set(name, { labels: { route, host }, inFlight: inFlight + (others?.inFlight ?? 0), state });
  }
  return labelled;
}
