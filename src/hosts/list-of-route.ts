import { runInSlices } from "../time-slices.ts";
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

/** A list of no more hosts takes less time than the request for which it is made. */
const fewHosts = 100;

/** Prepares the list of a route's hosts; it is made as it is first needed. */
export function createListOfRoute({ source, scheme, memory, findState }: ListSettings): ListOfRoute {
  const own: HostList = { of: undefined, hosts: [] };
  let making: Promise<void> | undefined;
  return { ready: source.isFixed === true ? isReady : ready, present, look };

  function ready(): Promise<void> | undefined {
    const waiting = source.ready?.();
    return waiting === undefined ? made() : waiting.then(made);
  }

  /** After one change hundreds of routes may have a long list to make: each takes a turn of the event loop for it. */
  function made(): Promise<void> | undefined {
    const told = source.present;
    if (own.of === told || told.length <= fewHosts) return undefined;
    return (making ??= runInSlices(makeAnew()).finally(() => (making = undefined)));
  }

  function* makeAnew(): Generator<undefined, void, undefined> {
    present();
  }

  function present(): readonly RouteHost[] {
    return own.of === source.present ? own.hosts : listAnew();
  }

  function listAnew(): readonly RouteHost[] {
    own.hosts = look();
    own.of = source.present;
    memory.list = own;
    if (source.isFixed !== true) roomForLists.take(own);
    return own.hosts;
  }

  function look(): readonly RouteHost[] {
    const { present: told, isFixed } = source;
    if (own.of === told) return own.hosts;
    const places = isFixed === true ? describePlaces(told, scheme) : sharedPlacesOf(told, scheme);
    return listHosts(places, memory.list?.hosts ?? [], findState);
  }
}

function isReady(): undefined {
  return undefined;
}
