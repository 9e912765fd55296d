import type { CapabilitySurroundings } from "../capabilities/capability.ts";
import type { HealthMonitor } from "../capabilities/health-checks/health-monitor.ts";
import { allRoutesOf } from "../compiling/all-routes.ts";
import type { CompiledConfiguration } from "../compiling/compiled-configuration.ts";
import type { RouteHost } from "../hosts/host.ts";
import type { HostMemory } from "../hosts/route-hosts.ts";
import { maskValues } from "../secrets/redact.ts";
import { variableSecretsOf } from "../secrets/variable-secrets.ts";

type TellHostChange = CapabilitySurroundings["changed"];

/** Knows which hosts are not asked at the moment. */
type LostHosts = Readonly<{
  /** Is told of every change of a host, and tells it on. */
  changed: TellHostChange;
  /** The hosts that do not pass their checks, and those that routes leave alone. */
  find: (configuration: CompiledConfiguration, monitor: HealthMonitor) => readonly string[];
}>;

/** Makes what knows the lost hosts; as it hears of changes, it looks at no hosts but those of routes that left one alone. */
export function createLostHosts(tell: TellHostChange): LostHosts {
  const leaving = new WeakSet<HostMemory>();
  return { changed, find };

  function changed(change: Parameters<TellHostChange>[0]): void {
    if (change.kind === "breaker" && change.state !== "closed") leaving.add(change.route);
    tell(change);
  }

  function find(configuration: CompiledConfiguration, monitor: HealthMonitor): readonly string[] {
    const down = monitor.down().map((origin) => `host ${origin}`);
    const concerned = allRoutesOf(configuration).filter(({ load }) => leaving.has(load));
    const open = concerned.flatMap(({ load, route }) =>
      leftAloneBy(load).map(({ origin }) => `host ${origin} of route ${route.id}`),
    );
    return [...new Set([...down, ...open])].map((text) => maskValues(text, variableSecretsOf(configuration.config)));
  }

  function leftAloneBy(memory: HostMemory): readonly RouteHost[] {
    const hosts = (memory.list?.hosts ?? []).filter(
      ({ breaker }) => breaker !== undefined && breaker.state() !== "closed",
    );
    if (hosts.length === 0) leaving.delete(memory);
    return hosts;
  }
}
