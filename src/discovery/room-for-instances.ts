import type { Provider } from "./provider.ts";

/** The room that one service has among all others of its provider. */
export type OwnRoom = Readonly<{
  /** Takes so many places in all, in the place of those that it had; throws where there are not as many. */
  take: (places: number) => void;
}>;

// Twice as many as there are pods in the largest cluster that Kubernetes is made for, which each service may have seen
// elsewhere before.
const mostTogether = 400_000;

/**
 * Prepares the rooms of services: a provider may tell of thousands of instances for each of them, and each takes its memory
 * here, however short it is told.
 */
export function createRooms(): (provider: Provider) => OwnRoom {
  const taken = new WeakMap<Provider, number>();

  return function roomFor(provider) {
    let own = 0;
    return { take };

    function take(places: number): void {
      const together = (taken.get(provider) ?? 0) - own + places;
      if (together > mostTogether && places > own) throw tooMany();
      taken.set(provider, together);
      own = places;
    }
  };
}

function tooMany(): Error {
  return new Error(`It has told of more than ${mostTogether / 2} instances of all services together.`);
}
