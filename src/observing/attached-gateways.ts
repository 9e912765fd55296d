import { shownRouteId } from "../secrets/shown-route.ts";
import type { ObservedGateway, ObservedHost } from "./observed-gateway.ts";
import type { RequestObserver } from "./observer.ts";

/** A host by labels that no client chooses. */
type LabelledHost = Readonly<{ labels: Readonly<{ route: string; host: string }> }> &
  Pick<ObservedHost, "inFlight" | "state">;

/** The gateways that an observer watches, and their hosts as gauges show them. */
export type AttachedGateways = Required<Pick<RequestObserver, "attached">> &
  Readonly<{ hosts: () => readonly LabelledHost[] }>;

/** Makes the list of the gateways of one observer; of each, the hosts of that many routes are shown. */
export function createAttachedGateways(mostRoutes: number): AttachedGateways {
  const gateways = new Set<ObservedGateway>();
  return { attached, hosts };

  function attached(gateway: ObservedGateway): () => void {
    gateways.add(gateway);
    return () => void gateways.delete(gateway);
  }

  function hosts(): readonly LabelledHost[] {
    return [...gateways].flatMap((gateway) => [...labelHosts(gateway, mostRoutes).values()]);
  }
}

/** By their labels: a host that a route lists twice is one. */
function labelHosts(gateway: ObservedGateway, mostRoutes: number): ReadonlyMap<string, LabelledHost> {
  const routes = new Set<string>();
  const labelled = new Map<string, LabelledHost>();
  for (const { route: of, origin: host, inFlight, state } of gateway.hosts()) {
    const route = shownRouteId(of);
    if (routes.add(route).size > mostRoutes) break;
    const name = `${route} ${host}`;
    const others = labelled.get(name)?.inFlight ?? 0;
    labelled.set(name, { labels: { route, host }, inFlight: inFlight + others, state });
  }
  return labelled;
}
