import type { BreakerState } from "../../hosts/breaker.ts";
import { type CapabilitySurroundings, defineCapability, type FindHostState, type RoutePart } from "../capability.ts";
import { createBreaker } from "./create-breaker.ts";
import { type BreakerSettings, breakerSettingsOf } from "./effective-quality.ts";
import { tellBreaker } from "./tell-breaker.ts";

/** By what they ask for: routes that ask for the same share one part, though each has breakers of its own. */
type Parts = Map<string, RoutePart>;

/** Leaves hosts alone that fail, for a while. */
export const circuitBreaker = defineCapability<Parts>("circuit breaker", {
  tells: tellBreaker,
  prepare: () => new Map(),
  compile(config, parts, surroundings) {
    const settings = breakerSettingsOf(config, surroundings.global);
    if (settings === undefined) return undefined;
    const name = JSON.stringify(settings);
    let part = parts.get(name);
    if (part === undefined) parts.set(name, (part = { hostState: createFindBreaker(settings, surroundings) }));
    return part;
  },
});

function createFindBreaker(
  settings: BreakerSettings,
  { now, changed }: Pick<CapabilitySurroundings, "now" | "changed">,
): FindHostState {
  return function findBreaker({ origin, earlier, trialTime, route }) {
    const policy = JSON.stringify([settings, trialTime]);
    if (earlier?.breaker?.policy === policy) return { breaker: earlier.breaker };
    const tell = (state: BreakerState, before: BreakerState): void =>
      changed({ kind: "breaker", name: origin, state, before, route });
    return { breaker: createBreaker(settings, { policy, now, trialTime, changed: tell }) };
  };
}
