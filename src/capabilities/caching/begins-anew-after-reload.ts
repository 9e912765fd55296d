import { hash } from "node:crypto";
import type { GlobalConfig, RouteConfig } from "../../config/sections.ts";
import { nameOfRoute } from "../../route-name.ts";

// These decide whether, when and how long something is asked, never for whom, nor what a service is sent and answers.
const withoutEffect: ReadonlySet<string> = new Set([
  "Limits",
  "Timeout",
  "TimeoutStatus",
  "QoSOptions",
  "RateLimitOptions",
] satisfies readonly (keyof GlobalConfig)[]);

/** A name of all that an answer may come from besides its request: a new key of the configuration counts, too. */
export function nameOfMaking(config: RouteConfig, global: GlobalConfig): string {
  const making = Object.entries(global).filter(([key]) => !withoutEffect.has(key));
  const parts = [nameOfRoute(config), config, Object.fromEntries(making)];
  return hash("sha256", JSON.stringify(parts, withBigIntegers), "base64url");
}

/** Claims of a scheme may hold integers for which JSON has no form here. */
function withBigIntegers(_name: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}n` : value;
}
