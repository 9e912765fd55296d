import type { HostState, RouteHost } from "./host.ts";
import type { Place, Places } from "./shared-places.ts";

/** What is known of a host by its origin; `earlier` is what was known of it before. */
export type FindState = (origin: string, earlier: HostState | undefined) => HostState;

/**
 * Makes the list of a route's hosts; one that stayed keeps its place, with all that is known of it. Each route does this
 * anew for each list, so that all that is the same for all of them is looked up in the places.
 */
export function listHosts(
  { all, byOrigin }: Places,
  earlier: readonly RouteHost[],
  findState: FindState,
): readonly RouteHost[] {
  const known: (RouteHost | undefined)[] = all.map(nobody);
  const hosts = [...known];
  for (const host of earlier) {
    const indexes = byOrigin.get(host.origin);
    if (indexes === undefined) continue;
    known[indexes[0]!] ??= host;
    const own = indexes.find((index) => hosts[index] === undefined && all[index]!.weight === host.weight);
    if (own !== undefined) hosts[own] = host;
  }
  for (const [origin, indexes] of byOrigin) {
    const state = findState(origin, known[indexes[0]!]);
    for (const index of indexes) if (!isKnownBy(state, hosts[index])) hosts[index] = createHost(all[index]!, state);
  }
  return hosts as readonly RouteHost[];
}

function nobody(): undefined {
  return undefined;
}

function isKnownBy({ breaker, health }: HostState, host: RouteHost | undefined): boolean {
  return host !== undefined && host.breaker === breaker && host.health === health;
}

/** Its members are written out: a copy of the members of others would take half as much memory again. */
function createHost({ origin, host, port, scheme, weight }: Place, { breaker, health }: HostState): RouteHost {
  return { origin, host, port, scheme, weight, breaker, health, inFlight: 0, credit: 0 };
}
