import type { RouteHost } from "./host.ts";

/** A host that a request has until it is over, or goes to another one. */
export type HostLease = Readonly<{
  origin: string;
  /** Undefined where nothing is known of the host. */
  host: RouteHost | undefined;
  /** The head of an answer has come. */
  answered: (status: number) => void;
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
export function createLease(host: RouteHost, takeBackTurn: () => void = ignore): HostLease {
  const { origin, breaker } = host;
  const pass = breaker === undefined ? 0 : breaker.enter();
  let isHeld = true;
  host.inFlight += 1;
  return { origin, host, answered, failed, goesUp, sent, release, giveBack };

  function answered(status: number): void {
    if (isHeld) breaker?.answered(pass, status);
  }

  function failed(): void {
    if (isHeld) breaker?.failed(pass);
  }

  function goesUp(): boolean {
    return breaker?.makeRoom(pass) ?? false;
  }

  function sent(): void {
    if (isHeld) breaker?.takeRoom(pass);
  }

  function release(): void {
    if (!isHeld) return;
    isHeld = false;
    host.inFlight -= 1;
    breaker?.makeRoom(pass);
  }

  function giveBack(): void {
    if (isHeld) takeBackTurn();
    release();
  }
}
