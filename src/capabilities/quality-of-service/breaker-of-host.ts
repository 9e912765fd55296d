import type { Breaker, BreakerState } from "../../hosts/breaker.ts";
import type { HostMemory } from "../../hosts/list-of-route.ts";
import type { CapabilitySurroundings } from "../capability.ts";
import type { BreakerSettings } from "./effective-quality.ts";
import { createTally, type Tally } from "./failure-tally.ts";

/** What the breakers of all hosts that are treated alike have in common. */
export type BreakerTerms = Pick<CapabilitySurroundings, "now" | "changed"> &
  Readonly<{
    settings: BreakerSettings;
    policy: string;
    /** How long a call that tries the host out may keep others from doing so; milliseconds. */
    trialTime: number;
  }>;

/** Makes the breaker of a host of a route. */
export function createBreaker(terms: BreakerTerms, origin: string, route: HostMemory): Breaker {
  return new BreakerOfHost(terms, origin, route);
}

/**
 * Whether an answer tells of a host that fails. Services answer 501 to methods that they do not know (RFC 9110, 15.6.2), and
 * any client could ask with such a one; all know GET and HEAD.
 */
function isFailure(status: number, method: string): boolean {
  return status >= 500 && status <= 599 && (status !== 501 || method === "GET" || method === "HEAD");
}

/**
 * Each time it opens, closes, or tries the host out, passes from before tell nothing any more: calls that began earlier and
 * fail late cannot open it again. A class, as there are ten thousand of some routes: functions of its own would take most
 * of the memory.
 */
class BreakerOfHost implements Breaker {
  readonly #terms: BreakerTerms;
  readonly #origin: string;
  readonly #route: HostMemory;
  /** Of a host that has not been asked yet, there is nothing to count. */
  #tally: Tally | undefined;
  #state: BreakerState = "closed";
  #validPass = 1;
  #openUntil = 0;
  #trialUntil = 0;

  constructor(terms: BreakerTerms, origin: string, route: HostMemory) {
    this.#terms = terms;
    this.#origin = origin;
    this.#route = route;
  }

  get policy(): string {
    return this.#terms.policy;
  }

  state(): BreakerState {
    return this.#state;
  }

  admits(isRepeatable: boolean): boolean {
    if (this.#state === "closed") return true;
    const now = this.#terms.now();
    return isRepeatable && now >= this.#openUntil && now >= this.#trialUntil;
  }

  wait(): number {
    return Math.max(0, this.#openUntil - this.#terms.now());
  }

  enter(): number {
    if (this.#state === "closed") return this.#validPass;
    if (!this.admits(true)) return 0;
    this.#trialUntil = this.#terms.now() + this.#terms.trialTime;
    this.#validPass += 1;
    this.#become("half-open");
    return this.#validPass;
  }

  answered(pass: number, status: number, method: string): void {
    if (isFailure(status, method)) return this.failed(pass);
    if (pass !== this.#validPass) return;
    if (this.#state === "closed") return this.#tallied().success();
    this.#validPass += 1;
    this.#tally = undefined;
    this.#become("closed");
  }

  failed(pass: number): void {
    if (pass !== this.#validPass) return;
    if (this.#state === "closed" && !this.#tallied().failure()) return;
    this.#validPass += 1;
    this.#openUntil = this.#terms.now() + this.#terms.settings.pause;
    this.#trialUntil = 0;
    this.#become("open");
  }

  makeRoom(pass: number): boolean {
    return this.#keepOthers(pass, 0);
  }

  takeRoom(pass: number): void {
    if (this.#state === "half-open") this.#keepOthers(pass, this.#terms.now() + this.#terms.trialTime);
  }

  /** A trial that keeps no other request from trying the host still tells of it, as long as none does. */
  #keepOthers(pass: number, until: number): boolean {
    if (this.#state !== "half-open" || pass !== this.#validPass) return false;
    this.#trialUntil = until;
    return true;
  }

  #become(next: BreakerState): void {
    const before = this.#state;
    this.#state = next;
    if (before === next) return;
    this.#terms.changed({ kind: "breaker", name: this.#origin, state: next, before, route: this.#route });
  }

  #tallied(): Tally {
    return (this.#tally ??= createTally(this.#terms.settings, this.#terms.now));
  }
}
