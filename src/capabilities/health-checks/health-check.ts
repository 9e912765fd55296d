import type { HealthCheckConfig } from "./health-check-keys.ts";

/** How a host is checked; milliseconds. */
export type HealthCheck = Readonly<{
  path: string;
  interval: number;
  timeout: number;
  healthy: number;
  unhealthy: number;
}>;

/** What is written, with what holds where nothing is. */
export function toHealthCheck(config: HealthCheckConfig): HealthCheck {
  const {
    Path: path,
    Interval: interval = 10,
    Timeout: timeout = 2,
    Healthy: healthy = 2,
    Unhealthy: unhealthy = 3,
  } = config;
  return { path, interval: interval * 1_000, timeout: timeout * 1_000, healthy, unhealthy };
}

/** How a host is checked, in a few words. */
export function describeHealthCheck({ path, interval }: HealthCheck): string {
  return `${path} every ${interval / 1_000} s`;
}
