import type { RouteHost } from "./host.ts";

/** A host that a request has until it is over, or goes to another one. */
export type HostLease = Readonly<{
  origin: string;
  /** Undefined where nothing is known of the host. */
  host: RouteHost | undefined;
  /** The head of an answer to such a request has come. */
  answered: (status: number, method: string) => void;
  /** There was no connection, or no answer in time: told only where that is the host's fault. */
  failed: () => void;
  /** The request takes as long to go up as its client likes: until `sent`, others may try the host out. Tells whether it does. */
  goesUp: () => boolean;
  sent: () => void;
  /** The request is over, or has gone to another host; may be called again. */
  release: () => void;
  /** The host was not needed: all is as if it had not been chosen. */
  giveBack: () => void;
}>;

const ignore = (): void => undefined;
const never = (): boolean => false;

/** A lease of a host of which nothing is known, and nothing counted. */
export function createPlainLease(origin: string): HostLease {
  const told = { answered: ignore, failed: ignore, goesUp: never, sent: ignore };
  return { origin, host: undefined, ...told, release: ignore, giveBack: ignore };
}

/** Makes a request's lease of a host; `takeBackTurn` undoes the choice. */
export function createLease(host: RouteHost, takeBackTurn?: () => void): HostLease {
  return new LeaseOfHost(host, takeBackTurn);
}

/** A class, as a request has at least one lease: functions of its own would cost more than all that they do. */
class LeaseOfHost implements HostLease {
  readonly origin: string;
  readonly host: RouteHost;
  readonly #pass: number;
  readonly #takeBackTurn: (() => void) | undefined;
  #isHeld = true;

  constructor(host: RouteHost, takeBackTurn: (() => void) | undefined) {
    this.origin = host.origin;
    this.host = host;
    this.#pass = host.breaker === undefined ? 0 : host.breaker.enter();
    this.#takeBackTurn = takeBackTurn;
    host.inFlight += 1;
  }

  answered(status: number, method: string): void {
    if (this.#isHeld) this.host.breaker?.answered(this.#pass, status, method);
  }

  failed(): void {
    if (this.#isHeld) this.host.breaker?.failed(this.#pass);
  }

  goesUp(): boolean {
    return this.host.breaker?.makeRoom(this.#pass) ?? false;
  }

  sent(): void {
    if (this.#isHeld) this.host.breaker?.takeRoom(this.#pass);
  }

  release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.host.inFlight -= 1;
    this.host.breaker?.makeRoom(this.#pass);
  }

  giveBack(): void {
    if (this.#isHeld) this.#takeBackTurn?.();
    this.release();
  }
}
