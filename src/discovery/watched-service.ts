import { isDeepStrictEqual } from "node:util";
import type { Instance } from "../hosts/host.ts";
import type { HostSource } from "../hosts/host-source.ts";
import { counts } from "./how-long-a-list-counts.ts";
import { keepAsking } from "./keep-asking.ts";
import { createOpening, instancesUnknown, type Opening } from "./wait-for-first-list.ts";
import { paceLongLists } from "./pace-long-lists.ts";
import type { Provider } from "./provider.ts";
import { readInstances } from "./read-instances.ts";
import type { OwnRoom } from "./room-for-instances.ts";
import type { Service } from "./service.ts";

/** What is told of services as they are watched. */
export type WatchEvents = Readonly<{
  failed: (service: WatchedService, error: unknown) => void;
  /** What had failed works again, or does not matter any more. */
  recovered: (service: WatchedService) => void;
  /** Instances that do not count, in words. */
  passedOver: (service: WatchedService, faults: readonly string[]) => void;
}>;

/** A service whose instances are kept up to date outside of requests, from the start or the first request on. */
export type WatchedService = HostSource &
  Readonly<{
    service: Service;
    provider: Provider;
    ready: () => Promise<void> | undefined;
    noteListing: (took: number) => void;
    /** Begins to ask, unless that has begun or ended. */
    begin: () => void;
    /** Whether the first list is still waited for. */
    isOpening: () => boolean;
    /** Ends asking for good; what was told stays for requests that are under way. */
    end: () => void;
    hasEnded: () => boolean;
    /** Undefined until somebody has told whether there are instances, and where what was told is too old. */
    hasInstances: () => boolean | undefined;
    /** The list that was told last, also of those that are not ready, with those that have left since a place came: they may be there still, failing checks. */
    lastSeen: () => readonly Instance[];
    /** When a request came last, by `performance.now()`. */
    lastAsked: () => number;
    /** How many milliseconds old the list is; undefined where there is none. */
    age: () => number | undefined;
    /** Whether nothing new can be had at the moment. */
    isFailing: () => boolean;
  }>;

/** What is known of a service at the moment. */
type Knowledge = {
  present: readonly Instance[];
  lastSeen: readonly Instance[];
  toldAt: number | undefined;
  isFailing: boolean;
  faults: readonly string[];
};

// One for all: the stack of each would keep what has ended the watch, such as the configuration before, in memory.
const noLongerWatched = new DOMException("The service is not watched any more.", "AbortError");

/** Which service is watched, who is asked, and how many instances there is room for. */
type Watch = Readonly<{ service: Service; provider: Provider; room: OwnRoom }>;

/** Makes the watch of a service; nobody is asked before it begins. */
export function createWatchedService({ service, provider, room }: Watch, events: WatchEvents): WatchedService {
  const known: Knowledge = { present: [], lastSeen: [], toldAt: undefined, isFailing: false, faults: [] };
  const watch = new AbortController();
  const { failed, works } = noteFailures(known, events, () => watched);
  let opening: Opening | undefined;
  let hasBegun = false;
  let lastAsked = performance.now();
  const watched: WatchedService = {
    get present() {
      return known.present;
    },
    ...{ service, provider, ready, begin, end, noteListing: provider.listing.note },
    hasEnded: () => watch.signal.aborted,
    isOpening: () => opening !== undefined,
    lastAsked: () => lastAsked,
    ...describeKnowledge(known, provider),
  };
  return watched;

  function ready(): Promise<void> | undefined {
    lastAsked = performance.now();
    begin();
    if (counts(known, provider)) return undefined;
    if (opening === undefined) throw instancesUnknown();
    return opening.promise;
  }

  function begin(): void {
    if (hasBegun) return;
    hasBegun = true;
    opening = createOpening(() => (opening = undefined));
    const isUsable = (): boolean => counts(known, provider);
    const pace = { take, works, failed, isUsable, share: provider.listing, signal: watch.signal };
    void keepAsking({ provider, service, ...paceLongLists(pace) }, watch.signal);
  }

  function end(): void {
    hasBegun = true;
    watch.abort(noLongerWatched);
    opening?.giveUp();
    room.take(0);
    works();
  }

  function take(instances: readonly unknown[]): void {
    const faults = takeList(instances, known, { provider, room });
    if (faults.length > 0) events.passedOver(watched, faults);
    opening?.settle();
  }
}

/** Notes whether anything new can be had at the moment, and tells what changes of that. */
function noteFailures(
  known: Knowledge,
  events: WatchEvents,
  watched: () => WatchedService,
): Readonly<{ failed: (error: unknown) => void; works: () => void }> {
  return { failed, works };

  function failed(error: unknown): void {
    if (!known.isFailing) events.failed(watched(), error);
    known.isFailing = true;
  }

  function works(): void {
    if (known.isFailing) events.recovered(watched());
    known.isFailing = false;
  }
}

function describeKnowledge(
  known: Readonly<Knowledge>,
  provider: Provider,
): Pick<WatchedService, "hasInstances" | "lastSeen" | "age" | "isFailing"> {
  return {
    hasInstances: () => (counts(known, provider) ? known.present.length > 0 : undefined),
    lastSeen: () => known.lastSeen,
    age: () => (known.toldAt === undefined ? undefined : performance.now() - known.toldAt),
    isFailing: () => known.isFailing,
  };
}

/** Takes a list that was told; returns why some of it does not count, where that is new. */
function takeList(
  instances: readonly unknown[],
  known: Knowledge,
  { provider: { allowsAddress }, room }: Pick<Watch, "provider" | "room">,
): readonly string[] {
  const allowed = new Set(known.present.map(({ host }) => host));
  const read = readInstances(instances, (host) => allowed.has(host) || allowsAddress(host));
  // A list that stays the same object tells those who read it that nothing has changed.
  const present = isDeepStrictEqual(read.instances, known.present) ? known.present : read.instances;
  const seen = [...read.instances, ...read.others];
  const lastSeen = hasNewPlace(seen, known.lastSeen) ? seen : known.lastSeen;
  room.take(present.length + lastSeen.length);
  Object.assign(known, { present, lastSeen });
  known.toldAt = performance.now();
  const isNew = !isDeepStrictEqual(read.faults, known.faults);
  known.faults = read.faults;
  return isNew ? read.faults : [];
}

/** Whether an instance is where none was before: a service that only loses places may have them still. */
function hasNewPlace(told: readonly Instance[], before: readonly Instance[]): boolean {
  const places = new Set(before.map(({ host, port }) => `${host} ${port}`));
  return told.some(({ host, port }) => !places.has(`${host} ${port}`));
}
