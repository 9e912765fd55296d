import type { Instance } from "./host.ts";
import { formatOrigin } from "./host-origin.ts";

/** Where a host is asked, and how much it takes beside the others. */
export type Place = Readonly<{ origin: string; host: string; port: number; scheme: "http" | "https"; weight: number }>;

/** The hosts of a list as they are described, and by their origins at which of its places they stand. */
export type Places = Readonly<{ all: readonly Place[]; byOrigin: ReadonlyMap<string, readonly number[]> }>;

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
  return { all, byOrigin: Map.groupBy(all.keys(), (index) => all[index]!.origin) };
}

function describe({ host, port, scheme: own, weight = 1 }: Instance, scheme: Scheme): Place {
  const spoken = scheme ?? own ?? "http";
  return { origin: formatOrigin(spoken, host, port), host, port, scheme: spoken, weight };
}
