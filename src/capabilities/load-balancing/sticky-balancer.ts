import { createHmac } from "node:crypto";
import type { Balancer, HostSeeker } from "../../hosts/balancer.ts";
import type { RouteHost } from "../../hosts/host.ts";
import {
  isHalfOver,
  isOver,
  markLength,
  noCookie,
  readStickyCookie,
  type StickyCookie,
  writeStickyCookie,
} from "./sticky-cookie.ts";
import type { Stickiness } from "./sticky-settings.ts";

/**
 * Sends a client to the host that it had, as its cookie says, and one that has none to the next in turn. The cookie holds
 * marks of hosts and no host: whoever makes one up chooses among the route's hosts, and nothing else. No table is kept, so
 * that all gateways with the same key agree.
 */
export function createStickyBalancer({ name, key, lifetime }: Stickiness, inner: Balancer): Balancer {
  const known = new WeakMap<RouteHost, string>();
  const byTurn = new WeakSet<HostSeeker>();
  return { choose, takeBack };

  function choose(hosts: readonly RouteHost[], seeker: HostSeeker): RouteHost {
    const now = Math.floor(Date.now() / 1_000);
    const cookie = readFresh(seeker, now);
    const kept = firstMarked(cookie.marks, hosts);
    if (kept === undefined) byTurn.add(seeker);
    else byTurn.delete(seeker);
    const host = kept ?? inner.choose(hosts, seeker);
    // A host whose mark stands before this one's may be gone, and would have the client back when it returns.
    const isTold = cookie.marks[0] === markOf(host) && !isHalfOver(cookie, lifetime, now);
    const value = isTold ? undefined : writeStickyCookie(markOf(host), { ...cookie, since: lifetime && now });
    seeker.hostCookie = value === undefined ? undefined : { origin: host.origin, value };
    return host;
  }

  function takeBack(host: RouteHost, hosts: readonly RouteHost[], seeker: HostSeeker): void {
    if (byTurn.has(seeker)) inner.takeBack?.(host, hosts, seeker);
  }

  /** The client's cookie; where its time is over, all is as if it had none. */
  function readFresh({ given }: HostSeeker, now: number): StickyCookie {
    const cookie = readStickyCookie(given.cookie, name) ?? noCookie;
    return isOver(cookie, lifetime, now) ? noCookie : cookie;
  }

  function firstMarked(marks: readonly string[], hosts: readonly RouteHost[]): RouteHost | undefined {
    for (const mark of marks) {
      const host = hosts.find((one) => markOf(one) === mark);
      if (host !== undefined) return host;
    }
    return undefined;
  }

  function markOf(host: RouteHost): string {
    let mark = known.get(host);
    if (mark === undefined) {
      mark = createHmac("sha256", key).update(host.origin).digest("hex").slice(0, markLength);
      known.set(host, mark);
    }
    return mark;
  }
}
