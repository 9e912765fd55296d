import type { Breaker, BreakerState } from "../../hosts/breaker.ts";
import { type CapabilitySurroundings, defineCapability, type FindHostState, type RoutePart } from "../capability.ts";
import { type BreakerSettings, breakerSettingsOf } from "./effective-quality.ts";
import { createTally } from "./failure-tally.ts";
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

/** What a breaker is made with besides its settings. */
type BreakerSurroundings = Readonly<{
  policy: string;
  now: () => number;
  /** How long a call that tries the host out may keep others from doing so; milliseconds. */
  trialTime: number;
  changed: (state: BreakerState, before: BreakerState) => void;
}>;

/**
 * Makes the breaker of a host of a route. Each time it opens, closes, or tries the host out, passes from before tell
 * nothing any more: calls that began earlier and fail late cannot open it again.
 */
function createBreaker(settings: BreakerSettings, { policy, now, trialTime, changed }: BreakerSurroundings): Breaker {
  const tally = createTally(settings, now);
  let state: BreakerState = "closed";
  let validPass = 1;
  let openUntil = -Infinity;
  let trialUntil = -Infinity;
  const makeRoom = (pass: number): boolean => keepOthers(pass, -Infinity);
  const takeRoom = (pass: number): boolean => keepOthers(pass, now() + trialTime);
  return { policy, state: () => state, admits, wait, enter, answered, failed, makeRoom, takeRoom };

  function admits(isRepeatable: boolean): boolean {
    return state === "closed" || (isRepeatable && now() >= openUntil && now() >= trialUntil);
  }

  function wait(): number {
    return Math.max(0, openUntil - now());
  }

  function enter(): number {
    if (state === "closed") return validPass;
    if (!admits(true)) return 0;
    trialUntil = now() + trialTime;
    validPass += 1;
    become("half-open");
    return validPass;
  }

  function answered(pass: number, status: number): void {
    if (status >= 500 && status <= 599) return failed(pass);
    if (pass !== validPass) return;
    if (state === "closed") return tally.success();
    validPass += 1;
    tally.clear();
    become("closed");
  }

  function failed(pass: number): void {
    if (pass !== validPass) return;
    if (state === "closed" && !tally.failure()) return;
    validPass += 1;
    openUntil = now() + settings.pause;
    trialUntil = -Infinity;
    become("open");
  }

  /** A trial that keeps no other request from trying the host still tells of it, as long as none does. */
  function keepOthers(pass: number, until: number): boolean {
    if (state !== "half-open" || pass !== validPass) return false;
    trialUntil = until;
    return true;
  }

  function become(next: BreakerState): void {
    const before = state;
    state = next;
    if (before !== next) changed(next, before);
  }
}
