import type { GlobalConfig, RouteConfig } from "../../config/sections.ts";
import { goesToNamingService } from "../../discovery/provider-of.ts";
import { effectiveSection } from "../../schema/effective-section.ts";

/** How several hosts of a route take turns; the naming service is one, and chooses by itself. */
export function balancerOf(config: RouteConfig, global: GlobalConfig): string {
  if (goesToNamingService(config, global)) return "NoLoadBalancer";
  const options = effectiveSection(config.LoadBalancerOptions, global.LoadBalancerOptions, config.Key);
  return options?.Type ?? "NoLoadBalancer";
}
