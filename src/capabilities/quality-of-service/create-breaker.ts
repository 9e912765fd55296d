import type { Breaker, BreakerState } from "../../hosts/breaker.ts";
import type { BreakerSettings } from "./effective-quality.ts";
import { createTally } from "./tally.ts";

/** What a breaker is made with besides its settings. */
export type BreakerSurroundings = Readonly<{
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
export function createBreaker(
  settings: BreakerSettings,
  { policy, now, trialTime, changed }: BreakerSurroundings,
): Breaker {
  const tally = createTally(settings, now);
  let state: BreakerState = "closed";
  let validPass = 1;
  let openUntil = -Infinity;
  let trialUntil = -Infinity;
  return { policy, state: () => state, admits, wait, enter, answered, failed, left };

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

  /** A trial that is over without having told anything makes room for the next one. */
  function left(pass: number): void {
    if (state === "half-open" && pass === validPass) trialUntil = -Infinity;
  }

  function become(next: BreakerState): void {
    const before = state;
    state = next;
    if (before !== next) changed(next, before);
  }
}
