import type { Steps } from "../time-slices.ts";
import type { HostState, RouteHost } from "./host.ts";
import { type Place, type Places, placesInStep } from "./shared-places.ts";

/** What is known of a host by its origin; `earlier` is what was known of it before. */
export type FindState = (origin: string, earlier: HostState | undefined) => HostState;

/** Hosts by their places; those that are still to be made are missing. */
type Listed = (RouteHost | undefined)[];

/**
 * Makes the list of a route's hosts; one that stayed keeps its place, with all that is known of it. Each route does this
 * anew for each list, so that all that is the same for all of them is looked up in the places.
 */
export function* listHosts(
  places: Places,
  earlier: readonly RouteHost[],
  findState: FindState,
): Steps<readonly RouteHost[]> {
  const { all, firstOf, nextOf } = places;
  const hosts: Listed = new Array<RouteHost | undefined>(all.length).fill(undefined);
  const elsewhere = yield* putBack(earlier, hosts, places);
  for (const [origin, first] of firstOf) {
    if (first % placesInStep === 0) yield;
    const state = findState(origin, hosts[first] ?? elsewhere.get(origin));
    for (let at: number | undefined = first; at !== undefined; at = nextOf.get(at)) {
      if (!isKnownBy(state, hosts[at])) hosts[at] = createHost(all[at]!, state);
    }
  }
  return hosts as readonly RouteHost[];
}

/**
 * Puts hosts of an earlier list where they stand now. Gives back those that are not at the first place of their origin: what
 * is known of them is known of each other host there.
 */
function* putBack(
  earlier: readonly RouteHost[],
  hosts: Listed,
  { all, firstOf, nextOf }: Places,
): Steps<ReadonlyMap<string, RouteHost>> {
  const elsewhere = new Map<string, RouteHost>();
  const areApart = nextOf.size === 0;
  let guess = 0;
  for (const [index, host] of earlier.entries()) {
    if (index % placesInStep === 0) yield;
    // Nearly all stand behind the one that stood before them, which is found without a look-up.
    const first = areApart && all[guess]?.origin === host.origin ? guess : firstOf.get(host.origin);
    if (first === undefined) continue;
    let at: number | undefined = first;
    while (at !== undefined && !(hosts[at] === undefined && all[at]!.weight === host.weight)) at = nextOf.get(at);
    if (at !== undefined) hosts[at] = host;
    if (at !== first) elsewhere.set(host.origin, host);
    guess = first + 1;
  }
  return elsewhere;
}

function isKnownBy({ breaker, health }: HostState, host: RouteHost | undefined): boolean {
  return host !== undefined && host.breaker === breaker && host.health === health;
}

/** Its members are written out: a copy of the members of others would take half as much memory again. */
function createHost({ origin, host, port, scheme, weight }: Place, { breaker, health }: HostState): RouteHost {
  return { origin, host, port, scheme, weight, breaker, health, inFlight: 0, credit: 0 };
}
