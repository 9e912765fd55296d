import type { Balancer, HostSeeker } from "./balancer.ts";
import { findCandidates } from "./hosts-that-may-be-asked.ts";
import type { HostState, RouteHost } from "./host.ts";
import { createLease, createPlainLease, type HostLease } from "./lease.ts";
import type { FindState } from "./list-hosts.ts";
import { createListOfRoute, type ListSettings } from "./list-of-route.ts";
import { formatOrigin } from "./host-origin.ts";
import { refuseWithoutHost } from "./refuse-without-host.ts";

/** The hosts of a route, of which each request takes one. */
export type RouteHosts = Readonly<{
  /**
   * Undefined where a host can be chosen at once; where nobody has told yet which there are, or a long list of them is still
   * to be made, the moment of that.
   */
  ready: () => Promise<void> | undefined;
  /** Takes a host for a request; throws what the request is refused for where none may be asked. */
  choose: (seeker: HostSeeker) => HostLease;
  /**
   * Takes another host than those that were tried, the one of the lease at least; undefined where there is none, and where
   * a handler has sent the request to a host that is not of the route.
   */
  another: (lease: HostLease, seeker: HostSeeker, tried?: readonly string[]) => HostLease | undefined;
  /** Takes the host of a lease once more; where that may not be asked any more, any. */
  again: (lease: HostLease, seeker: HostSeeker) => HostLease;
  /** Takes the host that a handler has chosen, whatever is known of it; nothing is known of one that is not of the route. */
  at: (origin: string) => HostLease;
  /** The present hosts, with all that is known of each; whoever looks makes the route keep no list that no request needs. */
  look: () => readonly RouteHost[];
}>;

/** What the choice among a route's hosts is made of. */
type RouteHostsSettings = Omit<ListSettings, "findState"> &
  Readonly<{
    balancer: Balancer;
    /** What decides besides the balancer; undefined where nothing does. */
    findState?: FindState | undefined;
  }>;

/** Prepares the choice among the hosts of a route. */
export function createRouteHosts(settings: RouteHostsSettings): RouteHosts {
  const { source, scheme, findState = nothingKnown, balancer, memory } = settings;
  const [first, ...others] = source.present;
  if (source.isFixed && first !== undefined && others.length === 0 && findState === nothingKnown) {
    return createOnlyHost(formatOrigin(scheme ?? first.scheme ?? "http", first.host, first.port));
  }
  const { ready, present: list, look } = createListOfRoute({ source, scheme, memory, findState });
  return { ready, choose, another, again, at, look };

  function choose(seeker: HostSeeker): HostLease {
    return take(list(), seeker) ?? refuseWithoutHost(list());
  }

  function another(lease: HostLease, seeker: HostSeeker, tried: readonly string[] = []): HostLease | undefined {
    if (lease.host === undefined) return undefined;
    const others = othersFrom(list(), lease.origin);
    return take(tried.length === 0 ? others : others.filter(({ origin }) => !tried.includes(origin)), seeker);
  }

  function again(lease: HostLease, seeker: HostSeeker): HostLease {
    const same = findCandidates(list(), seeker).find(({ origin }) => origin === lease.origin);
    return same === undefined ? choose(seeker) : createLease(same);
  }

  function at(origin: string): HostLease {
    const found = list().find((host) => host.origin === origin);
    return found === undefined ? createPlainLease(origin) : createLease(found);
  }

  function take(from: readonly RouteHost[], seeker: HostSeeker): HostLease | undefined {
    const candidates = findCandidates(from, seeker);
    if (candidates.length === 0) return undefined;
    const host = balancer.choose(candidates, seeker);
    const { takeBack } = balancer;
    return createLease(host, takeBack && (() => takeBack(host, candidates, seeker)));
  }
}

function isReady(): undefined {
  return undefined;
}

const nothingElse: HostState = {};

function nothingKnown(): HostState {
  return nothingElse;
}

/** The hosts behind one in the list, and then those before it. */
function othersFrom(hosts: readonly RouteHost[], origin: string): readonly RouteHost[] {
  const index = hosts.findIndex((host) => host.origin === origin);
  return [...hosts.slice(index + 1), ...hosts.slice(0, Math.max(index, 0))].filter((host) => host.origin !== origin);
}

/** Where there is nothing to choose, and nothing to know, nothing is counted either. */
function createOnlyHost(origin: string): RouteHosts {
  const lease = createPlainLease(origin);
  return {
    ready: isReady,
    choose: () => lease,
    another: () => undefined,
    again: () => lease,
    at: (other) => (other === origin ? lease : createPlainLease(other)),
    look: () => [],
  };
}
