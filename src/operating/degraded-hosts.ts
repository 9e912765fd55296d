import type { CapabilitySurroundings } from "../capabilities/capability.ts";
import type { HealthMonitor } from "../capabilities/health-checks/health-monitor.ts";
import { allRoutesOf } from "../compiling/all-routes.ts";
import type { CompiledConfiguration } from "../compiling/compiled-configuration.ts";
import type { HostMemory } from "../hosts/list-of-route.ts";
import type { Degraded } from "../observing/degraded.ts";
import { maskValues } from "../secrets/redact.ts";
import { variableSecretsOf } from "../secrets/variable-secrets.ts";

type TellHostChange = CapabilitySurroundings["changed"];

/** Knows which hosts are not asked at the moment. */
type LostHosts = Readonly<{
  /** Is told of every change of a host, and tells it on. */
  changed: TellHostChange;
  /** Names the first hosts that do not pass their checks, and those that routes leave alone, and counts the others. */
  find: (configuration: CompiledConfiguration, monitor: HealthMonitor) => Degraded;
}>;

/** Hosts that are lost to all routes, or to one. */
type LostList = Readonly<{ origins: ReadonlySet<string>; where: string }>;

// Readiness checks read them: a service of thousands leaves room for others.
const mostOfList = 100;
const mostNamed = 1_000;

/** Makes what knows the lost hosts; as it hears of changes, it looks at no hosts but those of routes that left one alone. */
export function createLostHosts(tell: TellHostChange): LostHosts {
  const leaving = new WeakSet<HostMemory>();
  return { changed, find };

  function changed(change: Parameters<TellHostChange>[0]): void {
    if (change.kind === "breaker" && change.state !== "closed") leaving.add(change.route);
    tell(change);
  }

  function find(configuration: CompiledConfiguration, monitor: HealthMonitor): Degraded {
    const concerned = allRoutesOf(configuration).filter(({ load }) => leaving.has(load));
    const lists = [
      { origins: new Set(monitor.down()), where: "" },
      ...concerned.map(({ load, route }) => ({ origins: leftAloneBy(load), where: ` of route ${route.id}` })),
    ];
    return nameFirst(lists, variableSecretsOf(configuration.config));
  }

  function leftAloneBy(memory: HostMemory): ReadonlySet<string> {
    const hosts = (memory.list?.hosts ?? []).filter(
      ({ breaker }) => breaker !== undefined && breaker.state() !== "closed",
    );
    if (hosts.length === 0) leaving.delete(memory);
    return new Set(hosts.map(({ origin }) => origin));
  }
}

/** Names some hosts of each list, and tells how many more there are. */
function nameFirst(lists: readonly LostList[], secrets: ReturnType<typeof variableSecretsOf>): Degraded {
  const share = shareOf(lists);
  const named = lists
    .flatMap(({ origins, where }) => [...origins].slice(0, share).map((origin) => `host ${origin}${where}`))
    .slice(0, mostNamed)
    .map((text) => maskValues(text, secrets));
  return { named, unnamed: countHosts(lists, Infinity) - named.length };
}

/** How many of each list are named: the fewer the more lists there are, so that the last ones have room, too. */
function shareOf(lists: readonly LostList[]): number {
  let share = mostOfList;
  while (share > 1 && countHosts(lists, share) > mostNamed) share = Math.floor(share / 2);
  return share;
}

/** Counts the hosts of all lists, of each as many as are given at most. */
function countHosts(lists: readonly LostList[], mostOfEach: number): number {
  return lists.reduce((sum, { origins }) => sum + Math.min(origins.size, mostOfEach), 0);
}
