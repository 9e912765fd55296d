import type { Engine } from "../../forwarding/engines/engine.ts";
import type { HostHealth } from "../../hosts/host.ts";
import { after } from "../../unattended/guarded.ts";
import { askHost, type Asking, type CheckedPlace } from "./ask-host.ts";

/** The checks of one host, which go on until they are stopped. */
export type HostWatch = Readonly<{ health: HostHealth; stop: () => void }>;

/** What checks are made with. */
export type WatchSurroundings = Readonly<{
  engine: Pick<Engine, "forward">;
  changed: (origin: string, isUp: boolean) => void;
}>;

/** Hosts that are checked as often are not checked at the same time. */
const spread = 0.2;

/** Checks a host from now on, the first time at once; it is up until its checks say otherwise. */
export function watchHost(place: CheckedPlace, { engine, changed }: WatchSurroundings): HostWatch {
  const { origin, check } = place;
  const health = { isUp: true };
  let against = 0;
  let asking: Asking | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  ask();
  return { health, stop };

  function ask(): void {
    asking = askHost(engine, place);
    void asking.isWell.then(note);
  }

  function note(isWell: boolean | undefined): void {
    if (isStopped) return;
    if (isWell !== undefined) judge(isWell);
    timer = after(check.interval * (1 - spread * Math.random()), ask).unref();
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
    health.isUp = true;
  }
}
