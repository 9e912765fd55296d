import type { Steps } from "../time-slices.ts";
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

/** What is under way for all who need it; `places` are there when it is done. */
type Description = { readonly steps: Steps<Places>; places: Places | undefined };

/** How many places are gone through in one step: to look at the clock costs as much as some of them. */
export const placesInStep = 200;

const shared = new WeakMap<readonly Instance[], Map<Scheme, Description>>();

/** Describes the hosts of a list, once for all routes that read the same list by the same scheme: each goes on where others were. */
export function* sharedPlacesOf(instances: readonly Instance[], scheme: Scheme): Steps<Places> {
  const byScheme = shared.get(instances) ?? new Map<Scheme, Description>();
  shared.set(instances, byScheme);
  const description = byScheme.get(scheme) ?? { steps: describePlaces(instances, scheme), places: undefined };
  byScheme.set(scheme, description);
  while (description.places === undefined) {
    const step = description.steps.next();
    if (step.done === true) return (description.places = step.value);
    yield;
  }
  return description.places;
}

/** Describes the hosts of a list that one route alone reads. */
export function* describePlaces(instances: readonly Instance[], scheme: Scheme): Steps<Places> {
  const all: Place[] = [];
  for (const [index, instance] of instances.entries()) {
    if (index % placesInStep === 0) yield;
    all.push(describe(instance, scheme));
  }
  const firstOf = new Map<string, number>();
  const nextOf = new Map<number, number>();
  // From the last place on, so that each finds the one behind it.
  for (let index = all.length - 1; index >= 0; index -= 1) {
    if (index % placesInStep === 0) yield;
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
