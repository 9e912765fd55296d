import type { Cancellation } from "../../cancellation.ts";
import { after } from "../../unattended/guarded.ts";

/** A call that several equal requests wait for. */
export type Flight<Shared> = Readonly<{
  /** Waits for what comes of it; undefined where that is not for everybody, or takes too long. Rejects when the client leaves. */
  wait: (cancellation: Pick<Cancellation, "onCancel">) => Promise<Shared | undefined>;
  /** Tells those who wait; whoever comes later begins another one. */
  land: (shared: Shared | undefined) => void;
  /** Whether anybody waits. */
  isAwaited: () => boolean;
  hasLanded: () => boolean;
  /** Calls back when nobody waits any more: the last one has left, or got what there is, or the time is over. */
  onDeserted: (listener: () => void) => void;
}>;

/** The calls that are under way, by the names of what they ask. */
export type Flights<Shared> = Readonly<{
  find: (name: string) => Flight<Shared> | undefined;
  begin: (name: string) => Flight<Shared>;
}>;

// Who has waited this long asks for himself: the one call may take for ever.
const longestWait = 5_000;

/** Makes the table of the calls that are under way. */
export function createFlights<Shared>(): Flights<Shared> {
  const flying = new Map<string, Flight<Shared>>();
  return { find: (name) => flying.get(name), begin };

  function begin(name: string): Flight<Shared> {
    let waiting = 0;
    let hasLanded = false;
    let tellAll: (shared: Shared | undefined) => void;
    let desert: () => void = nothing;
    const landed = new Promise<Shared | undefined>((resolve) => (tellAll = resolve));
    const timer = after(longestWait, () => land(undefined)).unref();
    const flight = {
      wait,
      land,
      isAwaited: () => waiting > 0,
      hasLanded: () => hasLanded,
      onDeserted: (listener: () => void) => (desert = listener),
    };
    flying.set(name, flight);
    return flight;

    function wait({ onCancel }: Pick<Cancellation, "onCancel">): Promise<Shared | undefined> {
      waiting += 1;
      return new Promise((resolve, reject) => {
        void landed.then(resolve);
        onCancel((reason) => {
          reject(reason);
          if (hasLanded) return;
          waiting -= 1;
          if (waiting === 0) desert();
        });
      });
    }

    function land(shared: Shared | undefined): void {
      if (hasLanded) return;
      hasLanded = true;
      waiting = 0;
      clearTimeout(timer);
      if (flying.get(name) === flight) flying.delete(name);
      tellAll(shared);
      desert();
    }
  }
}

function nothing(): void {
  // Nobody has asked to be told.
}
