import type { Cancellation } from "../../cancellation.ts";
import { after } from "../../unattended/guarded.ts";

/** A call that several equal requests wait for. */
export type Flight<Shared> = Readonly<{
  generation: string;
  /** Waits for what comes of it; undefined where that is not for everybody, or takes too long. Rejects when the client leaves. */
  wait: (cancellation: Pick<Cancellation, "onCancel">) => Promise<Shared | undefined>;
  /** Tells those who wait what has come of it; whoever comes later begins another one. */
  land: (shared: Shared | undefined) => void;
  /** Whether anybody waits. */
  isAwaited: () => boolean;
  hasLanded: () => boolean;
  /** Calls back when nobody waits any more: the last one has left, or got what there is, or the time is over. */
  onDeserted: (listener: () => void) => void;
}>;

/** What is asked, and in which generation: what was asked for before a purge is not for those who ask behind it. */
type Question = Readonly<{ name: string; generation: string }>;

/** The calls that are under way, by the names of what they ask. */
export type Flights<Shared> = Readonly<{
  /** The call that one more may wait for, in whichever generation. */
  find: (name: string) => Flight<Shared> | undefined;
  /** Whether anybody asks, even if nobody may wait for that any more. */
  isUnderWay: (question: Question) => boolean;
  begin: (question: Question) => Flight<Shared>;
}>;

// Who has waited this long asks for himself: the one call may take for ever.
const longestWait = 5_000;

// A call that nobody waits for goes on as long as its answer may be kept, but not for ever.
const longestFlight = 600_000;

/** Makes the table of the calls that are under way. */
export function createFlights<Shared>(): Flights<Shared> {
  const flying = new Map<string, OwnFlight<Shared>>();
  return { find, isUnderWay, begin };

  function find(name: string): Flight<Shared> | undefined {
    const flight = flying.get(name);
    return flight?.isOpen() === true ? flight : undefined;
  }

  function isUnderWay({ name, generation }: Question): boolean {
    return flying.get(name)?.generation === generation;
  }

  function begin({ name, generation }: Question): Flight<Shared> {
    const flight = createFlight<Shared>(generation, () => {
      if (flying.get(name) === flight) flying.delete(name);
    });
    flying.set(name, flight);
    return flight;
  }
}

type OwnFlight<Shared> = Flight<Shared> &
  Readonly<{
    /** Whether one more may wait. */
    isOpen: () => boolean;
  }>;

function createFlight<Shared>(generation: string, forget: () => void): OwnFlight<Shared> {
  let waiting = 0;
  let isOpen = true;
  let hasLanded = false;
  let tellAll: (shared: Shared | undefined) => void;
  let desert: () => void = nothing;
  const landed = new Promise<Shared | undefined>((resolve) => (tellAll = resolve));
  let timer = after(longestWait, letGo).unref();
  return {
    ...{ generation, wait, land },
    isOpen: () => isOpen,
    isAwaited: () => waiting > 0,
    hasLanded: () => hasLanded,
    onDeserted: (listener: () => void) => (desert = listener),
  };

  function wait({ onCancel }: Pick<Cancellation, "onCancel">): Promise<Shared | undefined> {
    if (isOpen) waiting += 1;
    return new Promise((resolve, reject) => {
      void landed.then(resolve);
      onCancel((reason) => {
        reject(reason);
        if (!isOpen) return;
        waiting -= 1;
        if (waiting === 0) desert();
      });
    });
  }

  function letGo(): void {
    tell(undefined);
    timer = after(longestFlight, () => land(undefined)).unref();
  }

  function land(shared: Shared | undefined): void {
    if (hasLanded) return;
    hasLanded = true;
    clearTimeout(timer);
    forget();
    tell(shared);
  }

  function tell(shared: Shared | undefined): void {
    isOpen = false;
    waiting = 0;
    tellAll(shared);
    desert();
  }
}

function nothing(): void {
  // Nobody has asked to be told.
}
