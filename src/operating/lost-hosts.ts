import type { HealthMonitor } from "../capabilities/health-checks/health-monitor.ts";
import { allRoutesOf } from "../compiling/all-routes.ts";
import type { CompiledConfiguration } from "../compiling/compiled-configuration.ts";
import { maskValues } from "../secrets/redact.ts";
import { variableSecretsOf } from "../secrets/variable-secrets.ts";

/** The hosts that are not asked at the moment: those that do not pass their checks, and those that routes leave alone. */
export function findLostHosts(configuration: CompiledConfiguration, monitor: HealthMonitor): readonly string[] {
  const down = monitor.down().map((origin) => `host ${origin}`);
  const open = allRoutesOf(configuration).flatMap(({ load, route }) => {
    const left = (load.hosts ?? []).filter(({ breaker }) => breaker !== undefined && breaker.state() !== "closed");
    return left.map(({ origin }) => `host ${origin} of route ${route.id}`);
  });
  return [...new Set([...down, ...open])].map((text) => maskValues(text, variableSecretsOf(configuration.config)));
}
