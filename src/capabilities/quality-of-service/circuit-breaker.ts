import { getOrAdd } from "../../routing/index/get-or-add.ts";
import { type CapabilitySurroundings, defineCapability, type FindBreaker, type RoutePart } from "../capability.ts";
import { type BreakerTerms, createBreaker } from "./breaker-of-host.ts";
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
    if (part === undefined) parts.set(name, (part = { breaker: createFindBreaker(settings, surroundings) }));
    return part;
  },
});

function createFindBreaker(
  settings: BreakerSettings,
  { now, changed }: Pick<CapabilitySurroundings, "now" | "changed">,
): FindBreaker {
  const terms = new Map<number, BreakerTerms>();
  return function findBreaker({ origin, earlier, trialTime, route }) {
    const own = getOrAdd(terms, trialTime, () => {
      return { settings, policy: JSON.stringify([settings, trialTime]), now, trialTime, changed };
    });
    return earlier?.policy === own.policy ? earlier : createBreaker(own, origin, route);
  };
}
