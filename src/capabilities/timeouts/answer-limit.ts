import type { GlobalConfig, RouteConfig } from "../../config/sections.ts";
import { effectiveSection } from "../../schema/effective-section.ts";
import { toMilliseconds } from "../../timer-milliseconds.ts";

/** Of a route, what decides how long its answers may take. */
type TimedRoute = Readonly<Partial<Pick<RouteConfig, "Key" | "Timeout" | "QoSOptions">>>;

const defaultSeconds = 90;

/** Milliseconds that an answer of a route may take to begin: the key in milliseconds goes before those in seconds. */
export function answerLimitOf(
  { Key: key, Timeout: own, QoSOptions: quality }: TimedRoute,
  global: Readonly<Partial<Pick<GlobalConfig, "Timeout" | "QoSOptions">>>,
): number {
  const inMilliseconds = effectiveSection(quality, global.QoSOptions, key)?.Timeout;
  return inMilliseconds ?? toMilliseconds(own ?? global.Timeout ?? defaultSeconds);
}
