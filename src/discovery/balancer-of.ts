import type { GlobalConfig, RouteConfig } from "../config/sections.ts";
import { effectiveSection } from "../schema/effective-section.ts";
import { goesToNamingService } from "./provider-of.ts";

/** The ways to choose among hosts that are built in. */
const builtInBalancers = ["NoLoadBalancer", "RoundRobin", "LeastConnection", "CookieStickySessions"] as const;

export type BuiltInBalancer = (typeof builtInBalancers)[number];

/** Whether a way to choose is built in; every other one is a name of the user's. */
export function isBuiltIn(type: string): type is BuiltInBalancer {
  return (builtInBalancers as readonly string[]).includes(type);
}

/** How several hosts of a route take turns; the naming service is one, and chooses by itself. */
export function balancerOf(config: RouteConfig, global: GlobalConfig): string {
  if (goesToNamingService(config, global)) return "NoLoadBalancer";
  const options = effectiveSection(config.LoadBalancerOptions, global.LoadBalancerOptions, config.Key);
  return options?.Type ?? "NoLoadBalancer";
}

/** The name of the function of the app's that chooses among the hosts of a route; undefined where none does. */
export function ownBalancerOf(config: RouteConfig, global: GlobalConfig): string | undefined {
  const name = balancerOf(config, global);
  return isBuiltIn(name) ? undefined : name;
}
