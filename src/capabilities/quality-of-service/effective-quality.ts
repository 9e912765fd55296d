import type { GlobalConfig, RouteConfig } from "../../config/sections.ts";
import { effectiveSection } from "../../schema/effective-section.ts";
import type { QualityConfig } from "./quality-keys.ts";

/** When a breaker opens, and for how long; milliseconds. */
export type BreakerSettings = Readonly<{
  /** How many failures in a row open it; with a ratio, of how many calls at least that must be. */
  least: number;
  ratio: number | undefined;
  sampling: number;
  pause: number;
}>;

/** Of a route, what decides how its failing hosts are treated. */
type QualityRoute = Readonly<Partial<Pick<RouteConfig, "Key" | "QoSOptions">>>;
type Global = Readonly<Partial<Pick<GlobalConfig, "QoSOptions">>>;

const usualFailures = 100;
const usualPause = 5_000;
const usualSampling = 10_000;

/** The options that hold for a route: its own over the global ones. */
export function effectiveQuality({ QoSOptions: own, Key }: QualityRoute, global: Global): QualityConfig {
  return effectiveSection(own, global.QoSOptions, Key) ?? {};
}

/** Whether options ask for a breaker: a pause alone, or a time-out, does not. */
export function asksForBreaker({ MinimumThroughput: least = 0, FailureRatio: ratio = 0 }: QualityConfig): boolean {
  return least > 0 || ratio > 0;
}

/** When the breakers of a route open; undefined where it has none. */
export function breakerSettingsOf(route: QualityRoute, global: Global): BreakerSettings | undefined {
  const options = effectiveQuality(route, global);
  if (!asksForBreaker(options)) return undefined;
  return {
    least: options.MinimumThroughput ?? usualFailures,
    ratio: options.FailureRatio,
    sampling: options.SamplingDuration ?? usualSampling,
    pause: options.BreakDuration ?? usualPause,
  };
}

/** When a host is left alone, in a few words. */
export function describeBreaker({ least, ratio, sampling, pause }: BreakerSettings): string {
  const failures =
    ratio === undefined
      ? `${least} failures in a row`
      : `${Number((ratio * 100).toFixed(2))} % of at least ${least} calls in ${sampling / 1_000} s`;
  return `${failures}, then left alone for ${pause / 1_000} s`;
}
