import type { HealthMonitor } from "../capabilities/health-checks/health-monitor.ts";
import type { CompiledConfiguration } from "../compiling/compiled-configuration.ts";

/** Checks the hosts of all routes that ask for it, and no others. */
export function watchHosts({ compiled }: CompiledConfiguration, monitor: HealthMonitor): void {
  const checked = compiled.flatMap(({ pipeline: { healthChecks }, target, connection }) => {
    return healthChecks.map((check) => {
      const { hosts: source, scheme } = target();
      return { source, scheme, check, connection };
    });
  });
  monitor.watch(checked);
}
