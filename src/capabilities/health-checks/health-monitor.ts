import type { HostHealth, Instance } from "../../hosts/host.ts";
import type { HostSource } from "../../hosts/host-source.ts";
import { formatOrigin } from "../../hosts/host-origin.ts";
import { getOrAdd } from "../../routing/index/get-or-add.ts";
import type { Steps } from "../../time-slices.ts";
import { every } from "../../unattended/guarded.ts";
import type { ConnectionSettings } from "../tls/connection-settings.ts";
import type { CheckedPlace } from "./ask-host.ts";
import { createCheckTurns } from "./turns-of-routes.ts";
import type { HealthCheck } from "./health-check.ts";
import type { WatchSurroundings } from "./up-or-down.ts";
import { createLooks } from "./look-for-new-hosts.ts";
import { createWatchedHosts } from "./watched-hosts.ts";

/** The hosts of a route, and how they are checked. */
type CheckedHosts = Readonly<{
  source: HostSource;
  scheme: Instance["scheme"];
  check: HealthCheck;
  connection: ConnectionSettings;
}>;

/** The checks of all hosts of a gateway: one for each host and way to check it, however many routes go there. */
export type HealthMonitor = Readonly<{
  healthOf: (place: CheckedPlace) => HostHealth;
  /** Checks these from now on, and no others; what is known of those that stay, stays. */
  watch: (all: readonly CheckedHosts[]) => void;
  /** The hosts that do not pass their checks. */
  down: () => readonly string[];
  close: () => void;
}>;

/** How soon a host is checked that has come into a list, or no longer checked that has left it. */
const lookMilliseconds = 1_000;
const mostAtOnce = 64;
// Checks of more hosts than that are not begun at the same moment, but as often as they come later on.
const longestDelay = 10_000;

/** Makes the monitor of a gateway; it begins with the first host. */
export function createHealthMonitor(surroundings: Omit<WatchSurroundings, "takeTurn">): HealthMonitor {
  const hosts = createWatchedHosts({ ...surroundings, takeTurn: createCheckTurns(mostAtOnce) });
  const looks = createLooks(lookThrough);
  let watched: readonly CheckedHosts[] = [];
  let seen: readonly HostSource["present"][] = [];
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  return { healthOf, watch, down: hosts.down, close };

  function healthOf(place: CheckedPlace): HostHealth {
    return isClosed ? { isUp: true } : hosts.want(place, looks.count()).health;
  }

  function watch(all: readonly CheckedHosts[]): void {
    watched = all;
    clearInterval(timer);
    if (isClosed) return;
    looks.begin();
    if (all.some(({ source }) => source.isFixed !== true)) timer = every(lookMilliseconds, lookAgain).unref();
  }

  function lookAgain(): void {
    if (looks.mayBegin() && watched.some(({ source }, index) => source.present !== seen[index])) looks.begin();
  }

  function* lookThrough(look: number): Steps<void> {
    seen = watched.map(({ source }) => source.present);
    let begun = 0;
    for (const found of placesOf(watched, hosts.nameOf)) {
      yield;
      if (found === undefined) continue;
      const { source, place } = found;
      const host = hosts.want(place, look);
      if (host.hasBegun()) continue;
      host.begin(begun < mostAtOnce ? 0 : Math.random() * Math.min(place.check.interval, longestDelay), source);
      begun += 1;
    }
    yield* hosts.endOthers(look);
  }

  function close(): void {
    isClosed = true;
    clearInterval(timer);
    looks.end();
    hosts.end();
  }
}

/**
 * Of routes that check the hosts of one list in the same way, the first stands for all: hundreds may name a service of
 * thousands.
 */
function* placesOf(
  watched: readonly CheckedHosts[],
  nameOf: (way: CheckedHosts) => string,
): Generator<Readonly<{ source: HostSource; place: CheckedPlace }> | undefined, void> {
  const passed = new Map<HostSource["present"], Set<string>>();
  for (const way of watched) {
    const { source, scheme, check, connection } = way;
    const { present } = source;
    const names = getOrAdd(passed, present, () => new Set<string>());
    const name = `${scheme ?? ""} ${nameOf(way)}`;
    if (names.has(name)) {
      yield undefined;
      continue;
    }
    names.add(name);
    for (const { scheme: own = "http", host, port } of present) {
      yield { source, place: { origin: formatOrigin(scheme ?? own, host, port), check, connection } };
    }
  }
}
