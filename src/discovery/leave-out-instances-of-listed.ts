import { isDeepStrictEqual } from "node:util";
import { readAddress } from "../addresses/read-address.ts";
import type { Instance } from "../hosts/host.ts";
import type { HostSource } from "../hosts/host-source.ts";
import type { WatchedService } from "./watched-service.ts";

/** The instances of a service, without those that are others'. */
export type LeaveOut = (watched: WatchedService) => HostSource;

/** Makes the function that leaves out what is where one of these services is, or was last. */
export function createLeaveOut(services: readonly WatchedService[]): LeaveOut {
  const places = createPlaces(services);
  return (watched) => leaveOut(places, watched);
}

type Present = HostSource["present"];

/** The places at which instances of the services were seen last; the same set as long as none of them changes. */
function createPlaces(services: readonly WatchedService[]): () => ReadonlySet<string> {
  let seen: readonly Present[] = [];
  let places: ReadonlySet<string> = new Set();
  return function placesSeenLast() {
    if (services.some(({ lastSeen }, index) => lastSeen() !== seen[index])) {
      seen = services.map(({ lastSeen }) => lastSeen());
      places = new Set(seen.flat().map(placeOf));
    }
    return places;
  };
}

function leaveOut(findPlaces: () => ReadonlySet<string>, watched: WatchedService): HostSource {
  let told: Present | undefined;
  let places: ReadonlySet<string> | undefined;
  let present: Present = [];
  return {
    get present() {
      const isSame = told === watched.present && places === findPlaces();
      return isSame ? present : leaveOutAnew();
    },
    ready: watched.ready,
    noteListing: watched.noteListing,
  };

  function leaveOutAnew(): Present {
    const taken = findPlaces();
    [told, places] = [watched.present, taken];
    const left = told.filter((instance) => !taken.has(placeOf(instance)));
    // A list that stays the same object tells those who read it that nothing has changed.
    if (left.length === told.length) present = told;
    else if (!isDeepStrictEqual(left, present)) present = left;
    return present;
  }
}

/** Where an instance is, as far as it is told: a name and its address are two places. */
function placeOf({ host, port }: Instance): string {
  return `${readAddress(host)?.address ?? host.toLowerCase().replace(/\.$/, "")} ${port}`;
}
