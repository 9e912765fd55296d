import { measureInSlices } from "../rest-after-work.ts";
import { runAtOnce, type Steps } from "../time-slices.ts";
import type { Instance, RouteHost } from "./host.ts";
import type { HostSource } from "./host-source.ts";
import { type FindState, listHosts } from "./list-hosts.ts";
import { type HostList, roomForLists } from "./room-for-lists.ts";
import { describePlaces, sharedPlacesOf } from "./shared-places.ts";

/** The hosts that the versions of a route knew last: what is known of those that stay outlives a reload. */
export type HostMemory = { list: Readonly<HostList> | undefined };

/** What the list of a route's hosts is made of. */
export type ListSettings = Readonly<{
  source: HostSource;
  /** Goes before those of the hosts. */
  scheme?: Instance["scheme"];
  memory: HostMemory;
  findState: FindState;
}>;

/** The list of a route's hosts, made anew where the source has told others. */
type ListOfRoute = Readonly<{
  /** Undefined where the list can be had at once; else the moment of that. */
  ready: () => Promise<void> | undefined;
  present: () => readonly RouteHost[];
  /** The same for those who only look: the route keeps no list for them. */
  look: () => readonly RouteHost[];
}>;

const fewHosts = 100;

/** Whether it takes longer to make a list of these than to answer the request for which it is made. */
export function isLong(instances: readonly unknown[]): boolean {
  return instances.length > fewHosts;
}

/** Prepares the list of a route's hosts; it is made as it is first needed. */
export function createListOfRoute({ source, scheme, memory, findState }: ListSettings): ListOfRoute {
  const own: HostList = { of: undefined, hosts: [] };
  let making: Promise<void> | undefined;
  return { ready: source.isFixed === true ? isReady : ready, present, look };

  function ready(): Promise<void> | undefined {
    const waiting = source.ready?.();
    return waiting === undefined ? made() : waiting.then(made);
  }

  /** After one change hundreds of routes may have a long list to make: they do so one after the other, in slices. */
  function made(): Promise<void> | undefined {
    if (own.of === source.present || !isLong(source.present)) return undefined;
    return (making ??= makeInSlices().finally(() => (making = undefined)));
  }

  async function makeInSlices(): Promise<void> {
    do {
      const told = source.present;
      const { result, took } = await measureInSlices(list(told));
      source.noteListing?.(took);
      // Another one may have been told, or made, meanwhile.
      if (told === source.present && told !== own.of) keep(told, result);
    } while (own.of !== source.present);
  }

  /** Whoever chooses has waited for a long list: a request that tries another host takes it from the one that there is. */
  function present(): readonly RouteHost[] {
    const { present: told } = source;
    const isKept = own.of === told || (own.of !== undefined && isLong(told));
    if (!isKept) keep(told, runAtOnce(list(told)));
    return own.hosts;
  }

  function keep(told: readonly Instance[], hosts: readonly RouteHost[]): void {
    own.hosts = hosts;
    own.of = told;
    memory.list = own;
    if (source.isFixed !== true) roomForLists.take(own);
  }

  function look(): readonly RouteHost[] {
    const { present: told } = source;
    return own.of === told ? own.hosts : runAtOnce(list(told));
  }

  function* list(told: readonly Instance[]): Steps<readonly RouteHost[]> {
    const places = yield* source.isFixed === true ? describePlaces(told, scheme) : sharedPlacesOf(told, scheme);
    return yield* listHosts(places, memory.list?.hosts ?? [], findState);
  }
}

function isReady(): undefined {
  return undefined;
}
