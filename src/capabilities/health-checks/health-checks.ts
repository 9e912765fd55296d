import { defineCapability, type RoutePart } from "../capability.ts";
import { toHealthCheck } from "./health-check.ts";
import { tellHealthCheck } from "./tell-health-check.ts";

/** By what they ask for, so that routes that ask for the same share one part. */
type Parts = Map<string, RoutePart>;

/** Passes over hosts that do not pass their checks. */
export const healthChecks = defineCapability<Parts>("health checks", {
  tells: tellHealthCheck,
  prepare: () => new Map(),
  compile({ HealthCheck: config }, parts) {
    if (config === undefined) return undefined;
    const healthCheck = toHealthCheck(config);
    const name = JSON.stringify(healthCheck);
    let part = parts.get(name);
    if (part === undefined) parts.set(name, (part = { healthCheck }));
    return part;
  },
});
