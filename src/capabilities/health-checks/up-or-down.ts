import type { Engine } from "../../forwarding/engines/engine.ts";
import type { HostHealth } from "../../hosts/host.ts";
import { after } from "../../unattended/guarded.ts";
import { askHost, type Asking, type CheckedPlace } from "./ask-host.ts";
import type { TakeTurn } from "./turns-of-routes.ts";

/** The checks of one host, which go on until they are stopped. */
export type HostWatch = Readonly<{
  health: HostHealth;
  /** Checks it from then on, unless that has begun: in so many milliseconds, in the turns of a group. */
  begin: (delay: number, group: object) => void;
  hasBegun: () => boolean;
  stop: () => void;
}>;

/** What checks are made with. */
export type WatchSurroundings = Readonly<{
  engine: Pick<Engine, "forward">;
  changed: (origin: string, isUp: boolean) => void;
  takeTurn: TakeTurn;
}>;

/** Hosts that are checked as often are not checked at the same time. */
const spread = 0.2;

/** Prepares the checks of a host; it is up until they say otherwise. */
export function watchHost(place: CheckedPlace, { engine, changed, takeTurn }: WatchSurroundings): HostWatch {
  const { origin, check } = place;
  const health = { isUp: true };
  let against = 0;
  let asking: Asking | undefined;
  let leave: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  let group: object | undefined;
  let isStopped = false;
  return { health, begin, hasBegun: () => group !== undefined, stop };

  function begin(delay: number, among: object): void {
    if (group !== undefined) return;
    group = among;
    if (delay === 0) awaitTurn();
    else timer = after(delay, awaitTurn).unref();
  }

  function awaitTurn(): void {
    leave = takeTurn(group!, ask);
  }

  function ask(): void {
    asking = askHost(engine, place);
    void asking.isWell.then(note);
  }

  function note(isWell: boolean | undefined): void {
    leave?.();
    if (isStopped) return;
    if (isWell !== undefined) judge(isWell);
    timer = after(check.interval * (1 - spread * Math.random()), awaitTurn).unref();
  }

  function judge(isWell: boolean): void {
    against = isWell === health.isUp ? 0 : against + 1;
    if (against >= (health.isUp ? check.unhealthy : check.healthy)) {
      against = 0;
      health.isUp = isWell;
      changed(origin, isWell);
    }
  }

  /** Whoever still holds the host must not pass it over for ever. */
  function stop(): void {
    isStopped = true;
    clearTimeout(timer);
    asking?.stop();
    leave?.();
    health.isUp = true;
  }
}
