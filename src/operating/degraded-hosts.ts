import type { CapabilitySurroundings } from "../capabilities/capability.ts";
import type { HealthMonitor } from "../capabilities/health-checks/health-monitor.ts";
import { allRoutesOf } from "../compiling/all-routes.ts";
import type { CompiledConfiguration } from "../compiling/compiled-configuration.ts";
import type { HostMemory } from "../hosts/route-hosts.ts";
import { maskValues } from "../secrets/redact.ts";
import { variableSecretsOf } from "../secrets/variable-secrets.ts";

type TellHostChange = CapabilitySurroundings["changed"];

/** Knows which hosts are not asked at the moment. */
type LostHosts = Readonly<{
  /** Is told of every change of a host, and tells it on. */
  changed: TellHostChange;
  /** Names the first hosts that do not pass their checks, and those that routes leave alone, and counts the others. */
  find: (configuration: CompiledConfiguration, monitor: HealthMonitor) => readonly string[];
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

  function find(configuration: CompiledConfiguration, monitor: HealthMonitor): readonly string[] {
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
function nameFirst(lists: readonly LostList[], secrets: ReturnType<typeof variableSecretsOf>): readonly string[] {
  const named = lists
    .flatMap(({ origins, where }) => [...origins].slice(0, mostOfList).map((origin) => `host ${origin}${where}`))
    .slice(0, mostNamed)
    .map((text) => maskValues(text, secrets));
  const unnamed = lists.reduce((sum, { origins }) => sum + origins.size, -named.length);
  return unnamed > 0 ? [...named, `${unnamed} more hosts`] : named;
}
