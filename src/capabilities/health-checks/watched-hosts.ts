import type { Steps } from "../../time-slices.ts";
import type { ConnectionSettings } from "../tls/connection-settings.ts";
import type { CheckedPlace } from "./ask-host.ts";
import { type HostWatch, watchHost, type WatchSurroundings } from "./up-or-down.ts";

/** The checks of hosts, by what they ask where. */
export type WatchedHosts = Readonly<{
  /** The checks of a host, which is wanted in a look at all lists. */
  want: (place: CheckedPlace, look: number) => HostWatch;
  /** Ends the checks of those that a look and all after it have not wanted. */
  endOthers: (look: number) => Steps<void>;
  /** The hosts that do not pass their checks. */
  down: () => readonly string[];
  end: () => void;
}>;

type Watched = HostWatch & Readonly<{ origin: string }> & { wantedIn: number };

/** Makes the list of the hosts that are checked. */
export function createWatchedHosts(surroundings: WatchSurroundings): WatchedHosts {
  const watches = new Map<string, Watched>();
  const nameOf = createNameOf();
  return { want, endOthers, down, end };

  function want(place: CheckedPlace, look: number): Watched {
    const name = nameOf(place);
    let found = watches.get(name);
    if (found === undefined) {
      found = { ...watchHost(place, surroundings), origin: place.origin, wantedIn: look };
      watches.set(name, found);
    }
    found.wantedIn = look;
    return found;
  }

  function* endOthers(look: number): Steps<void> {
    for (const [name, { wantedIn, stop }] of watches) {
      yield;
      if (wantedIn >= look) continue;
      stop();
      watches.delete(name);
    }
  }

  function down(): readonly string[] {
    return [...watches.values()].flatMap(({ health, origin }) => (health.isUp ? [] : [origin]));
  }

  function end(): void {
    for (const { stop } of watches.values()) stop();
    watches.clear();
  }
}

/** What is checked in the same way over the same connections has the same name. */
function createNameOf(): (place: CheckedPlace) => string {
  const numbers = new WeakMap<ConnectionSettings, number>();
  let count = 0;
  return function nameOf({ origin, check, connection }) {
    let number = numbers.get(connection);
    if (number === undefined) numbers.set(connection, (number = count += 1));
    return `${number} ${JSON.stringify(check)} ${origin}`;
  };
}
