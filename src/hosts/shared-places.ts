import type { Instance } from "./host.ts";
import { formatOrigin } from "./host-origin.ts";

/** Where a host is asked, and how much it takes beside the others. */
export type Place = Readonly<{ origin: string; host: string; port: number; scheme: "http" | "https"; weight: number }>;

/** The hosts of a list as they are described, and at which of its places each origin stands. */
export type Places = Readonly<{
  all: readonly Place[];
  /** The first place of each origin. */
  firstOf: ReadonlyMap<string, number>;
  /** For a place whose origin stands at a further one, which that is; most lists have none. */
  nextOf: ReadonlyMap<number, number>;
}>;

/** Goes before the schemes of the hosts. */
type Scheme = Instance["scheme"];

const shared = new WeakMap<readonly Instance[], Map<Scheme, Places>>();

/** Describes the hosts of a list, once for all routes that read the same list by the same scheme. */
export function sharedPlacesOf(instances: readonly Instance[], scheme: Scheme): Places {
  const byScheme = shared.get(instances) ?? new Map<Scheme, Places>();
  shared.set(instances, byScheme);
  let places = byScheme.get(scheme);
  if (places === undefined) byScheme.set(scheme, (places = describePlaces(instances, scheme)));
  return places;
}

/** Describes the hosts of a list that one route alone reads. */
export function describePlaces(instances: readonly Instance[], scheme: Scheme): Places {
  const all = instances.map((instance) => describe(instance, scheme));
  const firstOf = new Map<string, number>();
  const nextOf = new Map<number, number>();
  // From the last place on, so that each finds the one behind it.
  for (let index = all.length - 1; index >= 0; index -= 1) {
    const { origin } = all[index]!;
    const next = firstOf.get(origin);
    if (next !== undefined) nextOf.set(index, next);
    firstOf.set(origin, index);
  }
  return { all, firstOf, nextOf };
}

function describe({ host, port, scheme: own, weight = 1 }: Instance, scheme: Scheme): Place {
  const spoken = scheme ?? own ?? "http";
  return { origin: formatOrigin(spoken, host, port), host, port, scheme: spoken, weight };
}
