import type { HostState, Instance, RouteHost } from "./host.ts";
import { formatOrigin } from "./host-origin.ts";

/** What is known of a host by its origin; `earlier` is what was known of it before. */
export type FindState = (origin: string, earlier: HostState | undefined) => HostState;

/** The scheme that goes before those of the hosts, and what decides besides a balancer. */
export type HostTerms = Readonly<{ scheme: "http" | "https" | undefined; findState: FindState }>;

/** Makes the list of a route's hosts; one that stayed keeps its place, with all that is known of it. */
export function listHosts(
  instances: readonly Instance[],
  earlier: readonly RouteHost[],
  { scheme, findState }: HostTerms,
): readonly RouteHost[] {
  const left = Map.groupBy(earlier, placeOf);
  const known = new Map(earlier.map((host): [string, HostState] => [host.origin, host]));
  const states = new Map<string, HostState>();
  return instances.map((instance) => {
    const place = describe(instance, scheme);
    const { origin } = place;
    let state = states.get(origin);
    if (state === undefined) states.set(origin, (state = findState(origin, known.get(origin))));
    const stayed = left.get(placeOf(place))?.shift();
    const isSame = stayed?.breaker === state.breaker && stayed?.health === state.health;
    return stayed !== undefined && isSame ? stayed : { ...place, ...state, inFlight: 0, credit: 0 };
  });
}

type Place = Pick<RouteHost, "origin" | "host" | "port" | "scheme" | "weight">;

function describe({ host, port, scheme: own, weight = 1 }: Instance, scheme: HostTerms["scheme"]): Place {
  const spoken = scheme ?? own ?? "http";
  return { origin: formatOrigin(spoken, host, port), host, port, scheme: spoken, weight };
}

function placeOf({ origin, weight }: Pick<Place, "origin" | "weight">): string {
  return `${weight} ${origin}`;
}
