import { getHeapStatistics } from "node:v8";
import type { Instance, RouteHost } from "./host.ts";

/** The hosts that a route has made of a list of instances; undefined where they are to be made anew. */
export type HostList = { of: readonly Instance[] | undefined; hosts: readonly RouteHost[] };

/** The room that the lists of all routes have together. */
type RoomForLists = Readonly<{
  /** Takes the room that a list needs now, in the place of what it had; those that were made before may give way. */
  take: (list: HostList) => void;
}>;

// With a circuit breaker of which calls have been counted, a host of a route takes up to 700 bytes.
const bytesForEach = 1_280;
const mostTogether = Math.floor(getHeapStatistics().heap_size_limit / bytesForEach);

/** The room of this process: a registry may tell thousands of instances, and each route that asks them has its own list. */
export const roomForLists = createRoomForLists();

function createRoomForLists(): RoomForLists {
  // In the order in which they were made; those of routes that are gone hold nothing.
  const taken = new Map<WeakRef<HostList>, number>();
  const refs = new WeakMap<HostList, WeakRef<HostList>>();
  const gone = new FinalizationRegistry(leave);
  let together = 0;
  return { take };

  function take(list: HostList): void {
    const ref = refOf(list);
    leave(ref);
    for (const oldest of taken.keys()) {
      if (together + list.hosts.length <= mostTogether) break;
      leave(oldest);
      giveWay(oldest.deref());
    }
    taken.set(ref, list.hosts.length);
    together += list.hosts.length;
  }

  function leave(ref: WeakRef<HostList>): void {
    together -= taken.get(ref) ?? 0;
    taken.delete(ref);
  }

  function refOf(list: HostList): WeakRef<HostList> {
    let ref = refs.get(list);
    if (ref === undefined) {
      refs.set(list, (ref = new WeakRef(list)));
      gone.register(list, ref);
    }
    return ref;
  }
}

/** Of a list that gives way, what counts requests under way stays; all else is made anew when the route is asked again. */
function giveWay(list: HostList | undefined): void {
  if (list === undefined) return;
  list.of = undefined;
  list.hosts = list.hosts.filter(({ inFlight }) => inFlight > 0);
}
