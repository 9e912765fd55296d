import type { HostHealth, Instance } from "../../hosts/host.ts";
import type { HostSource } from "../../hosts/host-source.ts";
import { originOf } from "../../hosts/host-origin.ts";
import { every } from "../../unattended/guarded.ts";
import type { ConnectionSettings } from "../tls/connection-settings.ts";
import type { CheckedPlace } from "./ask-host.ts";
import type { HealthCheck } from "./health-check.ts";
import { type HostWatch, watchHost, type WatchSurroundings } from "./host-watch.ts";

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

/** Makes the monitor of a gateway; it begins with the first host. */
export function createHealthMonitor(surroundings: WatchSurroundings): HealthMonitor {
  const watches = new Map<string, HostWatch & Readonly<{ origin: string }>>();
  const nameOf = createNameOf();
  let watched: readonly CheckedHosts[] = [];
  let seen: readonly HostSource["present"][] = [];
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  return { healthOf, watch, down, close };

  function healthOf(place: CheckedPlace): HostHealth {
    if (isClosed) return { isUp: true };
    const name = nameOf(place);
    let found = watches.get(name);
    if (found === undefined) watches.set(name, (found = { ...watchHost(place, surroundings), origin: place.origin }));
    return found.health;
  }

  function watch(all: readonly CheckedHosts[]): void {
    watched = all;
    clearInterval(timer);
    if (isClosed) return;
    checkPresent();
    if (all.some(({ source }) => source.isFixed !== true)) timer = every(lookMilliseconds, lookAgain).unref();
  }

  function lookAgain(): void {
    if (watched.some(({ source }, index) => source.present !== seen[index])) checkPresent();
  }

  function checkPresent(): void {
    const wanted = new Set<string>();
    seen = watched.map(({ source }) => source.present);
    for (const place of watched.flatMap(placesOf)) {
      wanted.add(nameOf(place));
      healthOf(place);
    }
    for (const [name, { stop }] of watches) {
      if (wanted.has(name)) continue;
      stop();
      watches.delete(name);
    }
  }

  function down(): readonly string[] {
    return [...watches.values()].flatMap(({ health, origin }) => (health.isUp ? [] : [origin]));
  }

  function close(): void {
    isClosed = true;
    clearInterval(timer);
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

function placesOf({ source, scheme, check, connection }: CheckedHosts): readonly CheckedPlace[] {
  return source.present.map((instance) => {
    return { origin: originOf({ ...instance, scheme: scheme ?? instance.scheme }), check, connection };
  });
}
