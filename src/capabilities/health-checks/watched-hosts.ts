import type { Steps } from "../../time-slices.ts";
import { getOrAdd } from "../../routing/index/get-or-add.ts";
import type { ConnectionSettings } from "../tls/connection-settings.ts";
import type { CheckedPlace } from "./ask-host.ts";
import type { HealthCheck } from "./health-check.ts";
import { type HostWatch, watchHost, type WatchSurroundings } from "./up-or-down.ts";

/** The checks of hosts, by what they ask where. */
export type WatchedHosts = Readonly<{
  /** Names a way to check hosts: what is checked in the same way over the same connections has the same name. */
  nameOf: NameOf;
  /** The checks of a host, which is wanted in a look at all lists. */
  want: (place: CheckedPlace, look: number) => HostWatch;
  /** Ends the checks of those that a look and all after it have not wanted. */
  endOthers: (look: number) => Steps<void>;
  /** The hosts that do not pass their checks. */
  down: () => readonly string[];
  end: () => void;
}>;

type NameOf = (way: Pick<CheckedPlace, "check" | "connection">) => string;

type Watched = HostWatch & Readonly<{ origin: string }> & { wantedIn: number };

/** Makes the list of the hosts that are checked. */
export function createWatchedHosts(surroundings: WatchSurroundings): WatchedHosts {
  /** By the way they are checked, and by their origins. */
  const ways = new Map<string, Map<string, Watched>>();
  const nameOf = createNameOf();
  return { nameOf, want, endOthers, down, end };

  function want(place: CheckedPlace, look: number): Watched {
    const watches = getOrAdd(ways, nameOf(place), createWatches);
    let found = watches.get(place.origin);
    if (found === undefined) {
      found = { ...watchHost(place, surroundings), origin: place.origin, wantedIn: look };
      watches.set(place.origin, found);
    }
    found.wantedIn = look;
    return found;
  }

  function* endOthers(look: number): Steps<void> {
    for (const [way, watches] of ways) {
      for (const [origin, { wantedIn, stop }] of watches) {
        yield;
        if (wantedIn >= look) continue;
        stop();
        watches.delete(origin);
      }
      if (watches.size === 0) ways.delete(way);
    }
  }

  function down(): readonly string[] {
    return all().flatMap(({ health, origin }) => (health.isUp ? [] : [origin]));
  }

  function end(): void {
    for (const { stop } of all()) stop();
    ways.clear();
  }

  function all(): readonly Watched[] {
    return [...ways.values()].flatMap((watches) => [...watches.values()]);
  }
}

function createWatches(): Map<string, Watched> {
  return new Map();
}

/** Each name is made once: it is asked for with each host. */
function createNameOf(): NameOf {
  const names = new WeakMap<ConnectionSettings, WeakMap<HealthCheck, string>>();
  const numbers = new WeakMap<ConnectionSettings, number>();
  let count = 0;
  return function nameOf({ check, connection }) {
    let ofChecks = names.get(connection);
    if (ofChecks === undefined) names.set(connection, (ofChecks = new WeakMap()));
    let name = ofChecks.get(check);
    if (name === undefined) ofChecks.set(check, (name = `${numberOf(connection)} ${JSON.stringify(check)}`));
    return name;
  };

  function numberOf(connection: ConnectionSettings): number {
    let number = numbers.get(connection);
    if (number === undefined) numbers.set(connection, (number = count += 1));
    return number;
  }
}
