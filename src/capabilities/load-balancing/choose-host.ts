import { defaultPortOf, httpSchemeOf } from "../../urls/schemes.ts";

/** How several hosts of a route take turns. */
export type BalancerType = "NoLoadBalancer" | "RoundRobin" | "LeastConnection";

/** A host that a request goes to until it is released. */
export type OriginLease = Readonly<{ origin: string; release: () => void }>;

/** Chooses a host for each request, and another one after a refused connection. */
export type Origins = Readonly<{
  choose: () => OriginLease;
  /** The next host after one that refused; undefined where there is only one, or where a handler has chosen another. */
  after: (origin: string) => OriginLease | undefined;
}>;

/** Scheme, host and port as one text; WebSocket schemes as the HTTP scheme they travel over, default ports left out. */
export function formatOrigin(scheme: string, host: string, port: number | undefined): string {
  const plain = httpSchemeOf(scheme);
  const name = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  return port === undefined || port === defaultPortOf(plain) ? `${plain}://${name}` : `${plain}://${name}:${port}`;
}

const nothing = (): void => undefined;

/** Prepares the choice among a route's hosts. */
export function createOrigins(origins: readonly string[], type: BalancerType): Origins {
  const leases = origins.map((origin) => ({ origin, release: nothing }));
  const open = origins.map(() => 0);
  let turn = -1;
  const choosers: Readonly<Record<BalancerType, () => OriginLease>> = {
    NoLoadBalancer: () => leases[0]!,
    RoundRobin: () => leases[(turn = (turn + 1) % leases.length)]!,
    LeastConnection: () => lease(open.indexOf(Math.min(...open))),
  };

  return { choose: choosers[type], after: chooseNextOrigin };

  function chooseNextOrigin(origin: string): OriginLease | undefined {
    const index = origins.indexOf(origin);
    // A request that a handler has sent to a host of its own is not for the route's hosts: it may carry credentials for
    // that host.
    if (index === -1 || leases.length < 2) return undefined;
    const next = (index + 1) % leases.length;
    return type === "LeastConnection" ? lease(next) : leases[next];
  }

  function lease(index: number): OriginLease {
    open[index]! += 1;
    return { origin: origins[index]!, release: () => (open[index]! -= 1) };
  }
}
