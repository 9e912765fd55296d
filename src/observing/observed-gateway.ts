import type { HostCondition } from "../hosts/host-condition.ts";
import type { Route } from "../route.ts";

/** A host of a route, as it is at the moment; secrets in its texts are masked. */
export type ObservedHost = Readonly<{
  route: Route;
  origin: string;
  /** How much of the requests it takes, beside the others. */
  weight: number;
  /** Requests of the route that it has. */
  inFlight: number;
  /** `down` while its health checks fail, `open` and `half-open` as its circuit breaker is, else `up`. */
  state: HostCondition;
}>;

/** What observers of a gateway can look at whenever they like. */
export type ObservedGateway = Readonly<{
  /**
   * The hosts of which more is known than where they are: one of several, with a breaker or checks, or from a registry.
   * Where a route has more than `mostOfEach`, only so many of it, those first that are not up.
   */
  hosts: (mostOfEach?: number) => Iterable<ObservedHost>;
}>;
